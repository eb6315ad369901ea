import { expect, test } from 'vitest'
import { collection, formRecord } from '../../src/resources/forms.ts'
import example from '../examples/forms.json'
import { testDocumentCollection } from './documents.ts'
import { newWriter } from './writing.ts'

testDocumentCollection({
  path: '/forms',
  plural: 'forms',
  singular: 'form',
  id: 'formId',
  record: formRecord,
  example,
  item: ({ questions, ...item }) => item,
  differing: {
    type: 'progress-report',
    formFor: null,
    settings: { ...example.settings, isArchived: true },
  },
  minimal: { formId: 'f', managedBy: 'org-1', type: 'survey' },
  finds: {
    'type=survey': ['example'],
    'type=progress-report': ['other'],
    'isArchived=True': ['other'],
    'isArchived=false': ['example'],
    'settings.isArchived=true': ['other'],
    'formFor=Members': ['example'],
    'formFor=Partners': [],
  },
  refuses: {
    'type=Survey':
      'type: must be one of: application, survey, anonymous, progress-report, scorecard, session-plan.',
    'formFor=members': 'formFor: must be one of: Members, Volunteers, Partners.',
    'isArchived=no&type=x':
      'type: must be one of: application, survey, anonymous, progress-report, scorecard, session-plan. isArchived: must be true or false.',
  },
})

test('questionCount is counted from the questions unless it is given', () => {
  const { questionCount, ...uncounted } = example
  expect(collection.prepare(uncounted).questionCount).toBe(2)
  expect(collection.prepare({ ...uncounted, questionCount: 9 }).questionCount).toBe(9)
  const { questions, ...unasked } = uncounted
  for (const none of [{}, { questions: null }])
    expect(collection.prepare({ ...unasked, ...none }).questionCount).toBe(0)
})

test('questionCount follows the questions if the input repeats the stored number', () => {
  const { questions, questionCount: _, ...form } = example
  const count = (
    questionCount: number | null,
    stored: object,
    asked: object[] = questions.slice(0, 1),
  ) => collection.prepare({ ...form, questions: asked, questionCount }, { ...stored }).questionCount
  expect(count(2, { questions, questionCount: 2 })).toBe(1)
  expect(count(3, { questions, questionCount: 2 })).toBe(3)
  expect(count(5, { questions, questionCount: 5 })).toBe(5)
  expect(count(null, { questions, questionCount: 2 })).toBe(1)
  expect(count(null, { questions, questionCount: null })).toBe(1)
  expect(count(null, { questions, questionCount: null }, questions)).toBe(null)
})

const [question] = example.questions

const ask = (questionId: string, values: object = {}) => ({
  ...question,
  ...{ questionId, hasConditions: false },
  ...values,
})

const after = (questionId: string, ...answers: unknown[]) => ({ $showIf: { questionId, answers } })

const box = { type: 'Checkbox', options: [] }

const writer = await newWriter()

/** Puts a form with these questions. */
function putForm(questions: readonly object[]) {
  return writer.send('PUT', '/forms/form-1', { ...example, questions, managedBy: writer.id })
}

test('a question with a condition is stored with it, and has conditions', async () => {
  const response = await putForm([
    ask('q'),
    ask('box', box),
    ask('why', after('q', 'music')),
    ask('when', after('box', true)),
  ])
  expect(response.status).toBe(201)
  const { form } = await response.json<{ form: { questions: object[] } }>()
  const stored = (questionId: string, answer: unknown) => ({
    hasConditions: true,
    $showIf: { questionId, answers: [answer], isNot: false },
  })
  expect(form.questions).toEqual([
    ask('q'),
    ask('box', box),
    ask('why', stored('q', 'music')),
    ask('when', stored('box', true)),
  ])
})

const notEarlier = 'must be the id of an earlier question with options, or of an earlier checkbox.'

test.each<[string, object[], string]>([
  ['itself', [ask('q', after('q', 'music'))], `questions.0.$showIf.questionId: ${notEarlier}`],
  [
    'a later question, by the order of the form',
    [ask('q', { order: 1 }), ask('r', { ...after('q', 'music'), order: 0 })],
    `questions.1.$showIf.questionId: ${notEarlier}`,
  ],
  [
    'a question that people answer in words',
    [ask('q', { type: 'Text Input', options: [] }), ask('r', after('q', 'music'))],
    `questions.1.$showIf.questionId: ${notEarlier}`,
  ],
  [
    'no option',
    [ask('q'), ask('r', after('q', 'music', '3'))],
    'questions.1.$showIf.answers.1: must be an answer to q: "music", 3.',
  ],
  [
    'no state of a checkbox',
    [ask('q', box), ask('r', after('q', 'true'))],
    'questions.1.$showIf.answers.0: must be an answer to q: true, false.',
  ],
  [
    'no answers',
    [ask('q'), ask('r', after('q'))],
    'questions.1.$showIf.answers: must not be empty.',
  ],
  [
    'too many answers',
    [ask('q'), ask('r', after('q', ...Array.from({ length: 51 }, () => 3)))],
    'questions.1.$showIf.answers: must have at most 50 entries.',
  ],
])('a condition that names %s is refused', async (_, questions, message) => {
  const response = await putForm(questions)
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining(JSON.stringify(message).slice(1, -1)),
  ])
})
