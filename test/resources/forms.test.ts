import { expect, test } from 'vitest'
import { collection, formRecord } from '../../src/resources/forms.ts'
import example from '../examples/forms.json'
import { testDocumentCollection } from './documents.ts'

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
