import { expect, test } from 'vitest'
import {
  type Layout,
  layoutOf,
  moveQuestion,
  moveSection,
  putQuestion,
  putSection,
  removeQuestion,
  removeSection,
  toParts,
} from '../../../src/sign-up/forms/layout.ts'
import { newForm, newQuestion } from './forms.ts'

const form = newForm({
  sections: ['A', 'B'].map((title) => ({ title, description: '', id: title })),
  questions: [
    newQuestion({ questionId: 'y', section: 0, order: 5 }),
    newQuestion({ questionId: 'x', section: 0, order: 2 }),
    newQuestion({ questionId: 'z', section: 1, order: 0 }),
    newQuestion({ questionId: 'lost', section: 7, order: 9 }),
  ],
})
const layout = layoutOf(form)

/** Writes a layout such as `A: x y, B: z`. */
const write = (changed: Layout) =>
  changed
    .map(({ title, questions }) =>
      `${title}: ${questions.map(({ questionId }) => questionId).join(' ')}`.trim(),
    )
    .join(', ')

test.each<[string, Layout, string]>([
  ['the form as it is', layout, 'A: x y lost, B: z'],
  ['up', moveQuestion(layout, 'y', -1), 'A: y x lost, B: z'],
  ['down into the next section', moveQuestion(layout, 'lost', 1), 'A: x y, B: lost z'],
  ['up into the section before', moveQuestion(layout, 'z', -1), 'A: x y lost z, B:'],
  ['up from the top', moveQuestion(layout, 'x', -1), 'A: x y lost, B: z'],
  ['an unknown question', moveQuestion(layout, 'w', 1), 'A: x y lost, B: z'],
  ['removed', removeQuestion(layout, 'y'), 'A: x lost, B: z'],
  ['added', putQuestion(layout, newQuestion({ questionId: 'w' }), 1), 'A: x y lost, B: z w'],
  ['replaced', putQuestion(layout, newQuestion({ questionId: 'y' }), 0), 'A: x y lost, B: z'],
  ['to a section', putQuestion(layout, newQuestion({ questionId: 'y' }), 1), 'A: x lost, B: z y'],
  ['sections swapped', moveSection(layout, 1, -1), 'B: z, A: x y lost'],
  ['the first section down', moveSection(layout, 1, 1), 'A: x y lost, B: z'],
  [
    'a section renamed',
    putSection(layout, { title: 'C', description: '' }, 1),
    'A: x y lost, C: z',
  ],
  ['a section added', putSection(layout, { title: 'C', description: '' }), 'A: x y lost, B: z, C:'],
  ['the first section removed', removeSection(layout, 0), 'B: x y lost z'],
  ['the second section removed', removeSection(layout, 1), 'A: x y lost z'],
])('%s', (_, changed, expected) => {
  expect(write(changed)).toBe(expected)
})

test('the parts of a layout have its positions', () => {
  const { sections, questions } = toParts(moveSection(layout, 1, -1))
  expect(sections.map(({ id }) => id)).toEqual(['B', 'A'])
  expect(questions.map(({ questionId, section, order }) => [questionId, section, order])).toEqual([
    ['z', 0, 0],
    ['x', 1, 0],
    ['y', 1, 1],
    ['lost', 1, 2],
  ])
})
