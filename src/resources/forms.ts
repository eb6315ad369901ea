import { Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { booleanFilter, enumFilter } from '../http/named-filters.ts'
import type { Collection } from '../model/collection.ts'
import {
  anything,
  boolean,
  created,
  id,
  listOf,
  managedBy,
  nullableOneOf,
  nullableText,
  number,
  object,
  oneOf,
  text,
  updated,
} from '../model/properties/types.ts'
import { isSameJson } from '../model/same-json.ts'
import { listRecords, recordResource } from './routes/record-routes.ts'
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

const Question = z
  .strictObject({
    questionId: id('The id of the question: unique within its form.', 'question-3'),
    title: text('What is asked.', 'How did you hear about us?'),
    type: text(
      'How it is answered, such as `Multiple Choice`, `Paragraph Text Input` or `Likert Scale`; `Heading` and `Explainer Text` take no answer.',
      'Multiple Choice',
    ),
    section: number('The place of its section among those of the form, from 0.', 0),
    required: boolean('Whether it must be answered.'),
    order: number('Its place within its section.', 3),
    options: listOf(
      z.strictObject({
        label: text('What is read.', 'A friend'),
        value: anything('What an answer then holds.', 'friend'),
      }),
      'What can be chosen, where something can.',
    ),
    description: text('What helps to answer it.', 'Choose the one that fits best.'),
    outcome: nullableText(
      'The id of the outcome that its answers are evidence of.',
      'outcome-confidence',
    ),
    validation: z
      .strictObject({
        minAllowed: z
          .number()
          .optional()
          .meta({
            description: 'The least number, or the fewest options, that an answer may have.',
            examples: [1],
          }),
        maxAllowed: z
          .number()
          .optional()
          .meta({
            description: 'The greatest number, or the most options, that an answer may have.',
            examples: [5],
          }),
        wordCount: z
          .number()
          .optional()
          .meta({ description: 'How many words an answer may have.', examples: [250] }),
      })
      .default({})
      .meta({ description: 'What an answer is held to; empty if it is held to nothing.' }),
    hasConditions: boolean('Whether it is only asked after certain other answers.', false),
  })
  .meta({ id: 'Question' })

/** Contract 2.8. */
export const Form = z
  .strictObject({
    formId: id('The id of the form: unique among the organisation’s forms.', 'form-feedback'),
    name: text('What the form is called.', 'Feedback on the Open Day'),
    type: oneOf(types, 'What the form is for.', 'survey'),
    managedBy: managedBy(),
    description: text('What people read before they begin.', 'Five questions, two minutes.'),
    questionCount: number('How many questions it has; counted where the source does not say.', 5),
    sections: listOf(
      z.strictObject({
        title: text('The heading of the section.', 'About the day'),
        description: text('What stands below the heading.', 'Think of the day as a whole.'),
        id: text('The id of the section: unique within its form.', 'section-1'),
      }),
      'The parts of the form, in order.',
    ),
    questions: listOf(Question, 'What is asked, in order.'),
    settings: object('How the form is shown and taken.', {
      isArchived: boolean('Whether it is put away and takes no answers.', false),
      isAnonymous: boolean('Whether answers tell nothing of who gave them.', false),
      individualMode: boolean('Whether one question is shown at a time.', false),
      requiresLogin: boolean('Whether one must sign in to answer.', false),
      coverPage: boolean('Whether it begins with a page of its own.'),
      hideQuestionNumbers: boolean('Whether questions are shown without numbers.', false),
      calculateOverallScore: boolean('Whether answers are added up to a score.', false),
      afterSubmitMessage: text('What people read once they have answered.', 'Thank you.'),
      scoreDirection: text(
        'Whether a higher or a lower score is better: `ascending` or `descending`.',
        'ascending',
      ),
    }),
    linkedFormId: nullableText(
      'The id of a form that goes with it, such as the one before a course for the one after it.',
      'form-baseline',
    ),
    assessmentFormId: nullableText(
      'The id of the form by which answers to it are assessed.',
      'form-scorecard',
    ),
    allowMultipleApplications: boolean('Whether somebody may answer more than once.', false),
    deadline: nullableText(
      'Until when it takes answers, as the source writes it; null for no end.',
      '2026-04-30T22:59:59.000Z',
    ),
    schemaForm: boolean('Whether answers fill the fields of the people they are linked to.', false),
    formFor: nullableOneOf(
      audiences,
      'Whose fields answers fill; null for a form that fills none.',
      'Members',
    ),
    addPersonPublic: boolean('Whether somebody without a record gets one by answering.', false),
    created: created(),
    updated: updated(),
  })
  .meta({ id: 'Form' })

const FormListItem = Form.omit({ questions: true }).meta({ id: 'FormListItem' })

export const collection = {
  name: 'forms',
  plural: 'forms',
  singular: 'form',
  id: 'formId',
  record: Form,
  item: FormListItem,
  counted: ['questions', 'questionCount'],
  prepare: (form, previous?: Readonly<Record<string, unknown>>) => {
    const { questionCount = null } = form
    const questions = form.questions ?? []
    // A form may have been stored without a count, and a GET shows that.
    const hadNoCount =
      previous?.questionCount === null &&
      questionCount === null &&
      isSameJson(previous.questions, questions)
    if (!Array.isArray(questions) || hadNoCount) return form
    const hadMatchingCount =
      Array.isArray(previous?.questions) &&
      previous.questionCount === previous.questions.length &&
      previous.questionCount === questionCount
    return {
      ...form,
      questionCount: hadMatchingCount ? questions.length : (questionCount ?? questions.length),
    }
  },
} satisfies Collection

const resource = recordResource(collection)

export const routes = new Hono<Env>()
  .get(
    '/',
    ...listRecords(
      collection,
      {
        type: enumFilter('type', types, 'Only forms of this type.', 'survey'),
        isArchived: booleanFilter(
          'settings.isArchived',
          'Only forms that are archived, or that are not.',
          false,
        ),
        formFor: enumFilter('formFor', audiences, 'Only forms for these people.', 'Members'),
      },
      { 'settings.requiresLogin': 'true' },
    ),
  )
  .get('/:formId', ...getRecord(resource))
  .route('/', writeRoutes(resource))
