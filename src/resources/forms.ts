import type { Env } from '../auth/env.ts'
import { lazyRoute } from '../http/contract.ts'
import { booleanFilter, enumFilter } from '../http/filters.ts'
import { Hono } from '../http/hono.ts'
import type { Collection } from '../model/collection.ts'
import { findConditionErrors } from '../model/forms/conditions.ts'
import type { SurveyForm } from '../model/forms/survey-form.ts'
import { isObject, isSameJson } from '../model/json.ts'
import {
  anything,
  boolean,
  choice,
  created,
  id,
  listOf,
  managedBy,
  nullableOneOf,
  nullableText,
  number,
  object,
  optionalNumber,
  record,
  text,
  updated,
} from '../model/properties/types.ts'
import { buildShape, type Z } from '../model/record-properties.ts'
import { messages } from '../model/validation-error.ts'
import { listRoute } from './routes/list-route.ts'
import { recordList, recordResource } from './routes/record-routes.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'

const types = [
  'application',
  'survey',
  'anonymous',
  'progress-report',
  'scorecard',
  'session-plan',
] as const
const audiences = ['Members', 'Volunteers', 'Partners'] as const

const limits = {
  minAllowed: optionalNumber('The minimum of a number, or the minimum number of options.', 1),
  maxAllowed: optionalNumber('The maximum of a number, or the maximum number of options.', 5),
  wordCount: optionalNumber('The maximum number of words in an answer.', 250),
}

const maxConditionAnswers = 50

const conditionAnswers = 'Values of its options, or true or false of a checkbox.'

const condition = {
  questionId: id('The id of an earlier question.', 'question-1'),
  answers: {
    type: 'any' as const,
    description: conditionAnswers,
    isRequired: true,
    emptyValue: undefined,
    build: (z: Z) =>
      z
        .array(z.unknown(), messages.list)
        .min(1, messages.notEmpty)
        .max(maxConditionAnswers, `must have at most ${maxConditionAnswers} entries.`)
        .meta({ description: conditionAnswers, examples: [['friend']] }),
  },
  isNot: boolean('Whether all other answers meet the condition instead.', false),
}

const questionProperties = {
  questionId: id('The id of the question: unique within its form.', 'question-3'),
  title: text('The text of the question.', 'How did you hear about us?'),
  type: text(
    'The type of answer, such as `Multiple Choice`, `Paragraph Text Input` or `Likert Scale`; `Heading` and `Explainer Text` have no answer.',
    'Multiple Choice',
  ),
  section: number('The index of its section in the form, from 0.', 0),
  required: boolean('Whether an answer is required.'),
  order: number('The position in its section.', 3),
  options: listOf(
    {
      label: text('The label of the option.', 'A friend'),
      value: anything('The value of an answer with this option.', 'friend'),
    },
    'The options to choose from, if any.',
  ),
  description: text('Help for the answer.', 'Choose the one that fits best.'),
  outcome: nullableText('The id of the outcome that the answers measure.', 'outcome-confidence'),
  validation: {
    properties: limits,
    build: (z: Z) =>
      z
        .strictObject(buildShape(z, limits))
        .default({})
        .meta({ description: 'The limits of an answer; empty for none.' }),
  },
  hasConditions: boolean('Whether the question depends on other answers.', false),
  $showIf: {
    properties: condition,
    build: (z: Z) =>
      z
        .preprocess(
          (value) => value ?? undefined,
          z.strictObject(buildShape(z, condition)).meta({ id: 'QuestionCondition' }).optional(),
        )
        .meta({
          description: 'The answers after which the public pages ask it; absent for always.',
          'x-addition': true,
        }),
  },
}

export const formRecord = record('Form', {
  formId: id('The id of the form: unique among the organisation’s forms.', 'form-feedback'),
  name: text('The name of the form.', 'Feedback on the Open Day'),
  type: choice(types, 'The purpose of the form.', 'survey'),
  managedBy: managedBy(),
  description: text('The text that people read before they begin.', 'Five questions, two minutes.'),
  questionCount: number('The number of questions; counted if the source does not give it.', 5),
  sections: listOf(
    {
      title: text('The heading of the section.', 'About the day'),
      description: text('The text below the heading.', 'Think of the day as a whole.'),
      id: text('The id of the section: unique within its form.', 'section-1'),
    },
    'The sections of the form, in order.',
  ),
  questions: listOf(questionProperties, 'The questions, in order.', 'Question'),
  settings: object('The settings of the form.', {
    isArchived: boolean('Whether the form is archived and accepts no answers.', false),
    isAnonymous: boolean('Whether answers are anonymous.', false),
    individualMode: boolean('Whether the form shows one question at a time.', false),
    requiresLogin: boolean('Whether people must sign in to answer.', false),
    coverPage: boolean('Whether the form begins with a cover page.'),
    hideQuestionNumbers: boolean('Whether questions are shown without numbers.', false),
    calculateOverallScore: boolean('Whether the answers are added up to a score.', false),
    afterSubmitMessage: text('The text that people read after answering.', 'Thank you.'),
    scoreDirection: text(
      'Whether a higher or a lower score is better: `ascending` or `descending`.',
      'ascending',
    ),
  }),
  linkedFormId: nullableText(
    'The id of a related form, such as the one before a course.',
    'form-baseline',
  ),
  assessmentFormId: nullableText('The id of the form for assessing the answers.', 'form-scorecard'),
  allowMultipleApplications: boolean('Whether a person can answer more than once.', false),
  deadline: nullableText(
    'The end of the period for answers, as the source writes it; null for no end.',
    '2026-04-30T22:59:59.000Z',
  ),
  schemaForm: boolean('Whether answers fill the fields of the people they are linked to.', false),
  formFor: nullableOneOf(
    audiences,
    'The people with the fields that answers fill; null for none.',
    'Members',
  ),
  addPersonPublic: boolean('Whether answering creates a record for a new person.', false),
  created: created(),
  updated: updated(),
})

const { questions: _, ...listedProperties } = formRecord.properties

export const collection = {
  name: 'forms',
  plural: 'forms',
  singular: 'form',
  id: 'formId',
  record: formRecord,
  item: record('FormListItem', listedProperties),
  // `prepare` derives `questionCount`, for which it needs these two properties of the stored form.
  counted: ['questions', 'questionCount'],
  prepare(form, stored?: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const input = form.questions ?? []
    if (!Array.isArray(input)) return form
    const questions = input.map(markCondition)
    const questionCount = countQuestions(questions, form.questionCount ?? null, stored)
    return questionCount === null ? { ...form, questions } : { ...form, questions, questionCount }
  },
  // Validation gives a form every property.
  findErrors: (form) => findConditionErrors(form as SurveyForm),
} satisfies Collection

/** A question with the property of the contract that says that it has a condition. */
const markCondition = (question: unknown) =>
  isObject(question) && isObject(question.$showIf) ? { ...question, hasConditions: true } : question

/**
 * The `questionCount` of a form with these questions. A source may count in its own way, so the count of the input
 * stays. But a client that reads a form with 5 questions, adds one and sends the form back still sends `questionCount: 5`:
 * a count that only repeats the number of the stored questions becomes 6.
 */
function countQuestions(
  questions: readonly unknown[],
  count: unknown,
  stored: Readonly<Record<string, unknown>> = {},
): unknown {
  // Sending back the response of a form without a count must not add one.
  const hasNoCount = stored.questionCount === null && isSameJson(stored.questions, questions)
  if (count === null && hasNoCount) return null
  const repeatsStored =
    stored.questionCount === count &&
    Array.isArray(stored.questions) &&
    stored.questions.length === count
  if (repeatsStored) return questions.length
  return count ?? questions.length
}

export const resource = recordResource(collection)

export const list = recordList(collection, {
  type: enumFilter('type', types, 'Only forms of this type.', 'survey'),
  isArchived: booleanFilter('settings.isArchived', 'Only archived forms, or only others.', false),
  formFor: enumFilter('formFor', audiences, 'Only forms for these people.', 'Members'),
})

export const routes = new Hono<Env>()
  .get('/', listRoute(list))
  .get('/:formId', getRecord(resource))
  .post(
    '/:formId/$links',
    lazyRoute(async () => (await import('./routes/form-links.ts')).makeFormLinks(resource)),
  )
  .route('/', writeRoutes(resource))
