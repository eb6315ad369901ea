import { expect, test } from 'vitest'
import type { Question, SurveyForm } from '../../../src/model/forms/survey-form.ts'
import {
  answerableQuestions,
  calculateScore,
  validateAnswers,
} from '../../../src/sign-up/forms/answers.ts'
import { findObstacles } from '../../../src/sign-up/forms/publishing.ts'
import { newForm, newQuestion } from './forms.ts'

const options = ['Tea', 3, true].map((value) => ({ label: `The ${value}`, value }))

/** Validates one entry for a question and returns the answer, or the end of the message. */
function answer(question: Partial<Question>, entry: string[]) {
  const asked = newQuestion({ title: 'T', ...question })
  const entries = new Map([[asked.questionId, entry]])
  const { items, errors } = validateAnswers([asked], entries)
  const [item] = items
  return errors[0]?.message.replace('“T” ', '') ?? (item ? [item.type, item.response] : undefined)
}

const words = (count: number) => Array(count).fill('word').join(' ')

test.each<[string, Partial<Question>, string[], unknown]>([
  ['Text Input', {}, ['  An answer\r\n'], ['text', 'An answer']],
  ['Text Input', {}, ['x'.repeat(1001)], 'must have at most 1,000 characters.'],
  ['text', {}, [' '], undefined],
  ['Paragraph Text Input', {}, ['a\r\nb'], ['textarea', 'a\nb']],
  ['textarea', { validation: { wordCount: 3 } }, [words(3)], ['textarea', words(3)]],
  [
    'textarea',
    { validation: { wordCount: 3 } },
    [words(4)],
    'must have at most 3 words; it has 4.',
  ],
  ['number', {}, ['1,200.50'], ['number', 1200.5]],
  ['number', {}, ['1e3'], 'must be a number.'],
  ['number', { validation: { minAllowed: 2 } }, ['1'], 'must be at least 2.'],
  ['number', { validation: { maxAllowed: 2 } }, ['3'], 'must be at most 2.'],
  ['date', {}, ['7', '3', '2026'], ['date', '2026-03-07']],
  ['date', {}, ['29', '2', '2026'], 'must be a real date, such as 27 3 2016.'],
  ['date', {}, ['', '', ''], undefined],
  ['Multiple Choice', { options }, ['3'], ['select', 3]],
  ['Likert Scale', { options }, ['true'], ['select', true]],
  ['Dropdown', { options }, ['Beer'], 'must be one of the options.'],
  ['select', { options }, [''], undefined],
  ['Of another system', { options }, ['Tea'], ['select', 'Tea']],
  ['Dropdown with custom input', { options }, ['Tea', ''], ['select', 'Tea']],
  ['Dropdown with custom input', { options }, ['', 'Beer'], ['select', 'Beer']],
  [
    'Dropdown with custom input',
    { options },
    ['Tea', 'Beer'],
    'must have either an option or another answer, not both.',
  ],
  ['Dropdown: Multiple choice', { options }, ['Tea', '3', 'Tea'], ['multiselect', ['Tea', 3]]],
  [
    'Checkbox',
    { options, validation: { minAllowed: 2 } },
    ['Tea'],
    'must have at least 2 options.',
  ],
  ['Tag', { options, validation: { maxAllowed: 1 } }, ['Tea', '3'], 'must have at most 1 option.'],
  ['Tag', {}, ['a, b\nb'], ['multiselect', ['a', 'b']]],
  ['Checkbox', {}, ['true'], ['boolean', true]],
  ['Checkbox', {}, [], ['boolean', false]],
  ['Checkbox', { required: true }, [], 'must be ticked.'],
  ['Ranking', { options }, ['2', '', '1'], ['multiselect', [true, 'Tea']]],
  [
    'Ranking',
    { options },
    ['2', '2', '1'],
    'must have each place once: 1 for the first, 2 for the second, and so on.',
  ],
  ['Location', {}, ['LS11 0ES'], ['text', 'LS11 0ES']],
  ['Country', {}, ['Wales'], ['text', 'Wales']],
  ['Relationship', {}, ['Ada'], ['text', 'Ada']],
  [
    'Table',
    { options, validation: { maxAllowed: 2 } },
    ['a', 'b', '', '', '', '', 'beyond'],
    ['table', [{ Tea: 'a', 3: 'b', true: '' }]],
  ],
  ['Video Link', {}, ['https://video.example.org/1'], ['text', 'https://video.example.org/1']],
  ['Media Embed', {}, ['javascript:x'], 'must be a web address, such as https://www.example.org.'],
  ['Upload Document', {}, ['file'], undefined],
  ['Heading', { required: true }, [], undefined],
  ['Explainer Text', { required: true }, ['x'], undefined],
  ['Text Input', { required: true }, [''], 'needs an answer.'],
  ['Text Input', { required: true, hasConditions: true }, [''], undefined],
])('%s %j: %j', (type, question, entry, expected) => {
  expect(answer({ type, ...question }, entry)).toEqual(expected)
})

test('an answer to a schema form suits the field of its name', () => {
  const question = newQuestion({ questionId: 'Phone', title: 'Your phone' })
  const schema = {
    name: 'Members',
    fields: [{ id: 'Phone', name: 'Phone', label: 'Phone', type: 'phone' as const, order: 0 }],
  }
  const check = (text: string) => validateAnswers([question], new Map([['Phone', [text]]]), schema)
  expect(check('12').errors).toEqual([
    { field: 'Phone', message: '“Your phone” must have 6 to 20 digits.', code: 'invalid_format' },
  ])
  expect(check('07700 900123').items).toHaveLength(1)
})

test('the score adds the numbers of the chosen options', () => {
  const scale = [1, 2, 3].map((value) => ({ label: String(value), value }))
  const form = newForm({
    questions: [
      newQuestion({ questionId: 'a', type: 'Likert Scale', options: scale }),
      newQuestion({ questionId: 'b', type: 'Checkbox', options: scale }),
      newQuestion({ questionId: 'c', type: 'number' }),
    ],
  })
  const entries = new Map([
    ['a', ['3']],
    ['b', ['1', '2']],
    ['c', ['100']],
  ])
  const { items } = validateAnswers(answerableQuestions(form), entries)
  const scored: SurveyForm = {
    ...form,
    settings: { ...form.settings, calculateOverallScore: true },
  }
  expect(calculateScore(scored, items)).toBe(6)
  expect(calculateScore(scored, items.slice(2))).toBe(null)
  expect(calculateScore(form, items)).toBe(null)
})

test('obstacles say why a form cannot be answered', () => {
  const upload = newQuestion({ title: 'Photo', type: 'Upload Images' })
  const question = newQuestion({})
  const required = newForm({ questions: [question, { ...upload, required: true }] })
  expect(findObstacles(newForm({ questions: [question, upload] }))).toEqual([])
  const table = { ...question, type: 'Table', validation: { maxAllowed: 20 } }
  const cells = Array.from({ length: 60 }, (_, value) => ({ label: '', value }))
  expect(findObstacles(newForm({ questions: [{ ...table, options: cells }] }))).toEqual([
    'The form has more than 900 options, places in rankings and cells of tables.',
  ])
  expect(findObstacles(required)).toEqual([
    'The public pages cannot receive files, and “Photo” must be answered with a file. Make the answer optional, or remove the question.',
  ])
  expect(findObstacles(newForm({ deadline: '2026-01-01T00:00:00.000Z', questions: [] }))).toEqual([
    'The deadline has passed.',
    'The form has no questions.',
  ])
})
