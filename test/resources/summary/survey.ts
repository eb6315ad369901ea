import { everything } from '../../examples/everything.ts'
import { newOrganisation } from '../../organisation.ts'
import { scatter } from './sample.ts'

const options = (values: readonly (string | number)[]) =>
  values.map((value) => ({ label: `Option ${value}`, value }))

const question = (questionId: string, type: string, chosen: readonly (string | number)[] = []) => ({
  questionId,
  type,
  title: `About ${questionId}`,
  section: 0,
  required: false,
  order: 0,
  options: options(chosen),
  description: '',
  outcome: null,
  validation: {},
  hasConditions: false,
})

/** A form with a question of each way to answer. */
export const surveyForm = {
  ...everything.forms?.document,
  formId: 'survey',
  name: 'Spring survey',
  sections: [{ id: 'only', title: 'Only', description: '' }],
  questions: [
    question('intro', 'Heading'),
    question('feeling', 'Likert Scale', [1, 2, 3, 4, 5]),
    question('came to', 'Dropdown: Multiple choice', ['Lunch', 'Walk', 'Choir']),
    question('heard', 'Dropdown with custom input', ['A friend', 'A poster']),
    question('hours', 'number'),
    question('photos', 'Checkbox'),
    question('wish', 'Paragraph Text Input'),
    question('family', 'Table', ['Name', 'Age']),
  ],
}

/** The answers of a response, of which each question lacks a few. */
function answersOf(n: number) {
  const answers: [questionId: string, type: string, response: unknown][] = [
    ['feeling', 'select', scatter(n, 0, 8) === 0 ? null : 1 + scatter(n, 1, 5)],
    [
      'came to',
      'multiselect',
      ['Lunch', 'Walk', 'Choir'].filter((_, index) => scatter(n, index, 3) === 1),
    ],
    ['heard', 'select', ['A friend', 'A poster', `Other ${n % 7}`, ''][scatter(n, 3, 4)]],
    ['hours', 'number', scatter(n, 4, 30) / 10],
    ['photos', 'boolean', scatter(n, 5, 3) === 0],
    ['wish', 'textarea', scatter(n, 1, 4) === 0 ? '' : `Wish ${n}: ${'more tea, '.repeat(n % 60)}`],
    ['family', 'table', scatter(n, 2, 2) === 0 ? [] : [{ Name: `Child ${n}`, Age: '7' }]],
  ]
  return answers
    .filter((_, index) => scatter(n, index % 6, 11) !== 0)
    .map(([questionId, type, response]) => ({
      questionId,
      question: `About ${questionId}`,
      outcome: '',
      type,
      response,
    }))
}

/** A response, of one of the people or of nobody. They arrive in another order than that of their dates. */
const responseOf = (n: number, surveyId: string, people: number) => ({
  ...everything['survey-responses']?.document,
  responseId: `${surveyId}-${n}`,
  surveyId,
  date: new Date(Date.UTC(2026, 0, 1 + scatter(n, 2, 300), 9, n % 60)).toISOString(),
  responses: answersOf(n),
  linkedEntities: {
    memberIds: scatter(n, 5, 9) === 0 ? [] : [`sampled-member-${scatter(n, 3, people)}`],
    volunteerIds: [],
    partnerIds: [],
  },
  surveyScore: scatter(n, 4, 7) === 0 ? null : 5 + scatter(n, 0, 21),
})

type Sizes = { responses: number; others: number; people: number }

/** Creates an organisation with responses to the form, among those to another. */
export async function newSurveyOrganisation({ responses, others, people }: Sizes) {
  const organisation = await newOrganisation()
  await organisation.put('forms', [
    { id: 'survey', document: surveyForm },
    { id: 'other', document: { ...surveyForm, formId: 'other' } },
  ])
  const total = responses + others
  const isOther = (n: number) =>
    Math.floor(((n + 1) * others) / total) > Math.floor((n * others) / total)
  const documents = Array.from({ length: total }, (_, n) =>
    responseOf(n, isOther(n) ? 'other' : 'survey', people),
  )
  for (let start = 0; start < total; start += 2000)
    await organisation.put(
      'survey-responses',
      documents
        .slice(start, start + 2000)
        .map((document) => ({ id: document.responseId, document })),
    )
  return organisation
}
