import { Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { booleanFilter, enumFilter } from '../http/named-filters.ts'
import type { Collection } from '../model/collection.ts'
import {
  anything,
  boolean,
  id,
  listOf,
  nullableText,
  number,
  object,
  oneOf,
  text,
  timestamp,
} from '../model/properties.ts'
import { list, records } from '../routes/record-routes.ts'
import { single } from '../routes/single-route.ts'
import { writes } from '../routes/write-routes.ts'

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
    questionId: id(),
    title: text(),
    type: text(),
    section: number(),
    required: boolean(),
    order: number(),
    options: listOf(z.strictObject({ label: text(), value: anything() })),
    description: text(),
    outcome: nullableText(),
    validation: z
      .strictObject({
        minAllowed: z.number().optional(),
        maxAllowed: z.number().optional(),
        wordCount: z.number().optional(),
      })
      .default({}),
    hasConditions: boolean(),
  })
  .meta({ id: 'Question' })

/** Contract 2.8. */
export const Form = z
  .strictObject({
    formId: id(),
    name: text(),
    type: oneOf(types),
    managedBy: id(),
    description: text(),
    questionCount: number(),
    sections: listOf(z.strictObject({ title: text(), description: text(), id: text() })),
    questions: listOf(Question),
    settings: object({
      isArchived: boolean(),
      isAnonymous: boolean(),
      individualMode: boolean(),
      requiresLogin: boolean(),
      coverPage: boolean(),
      hideQuestionNumbers: boolean(),
      calculateOverallScore: boolean(),
      afterSubmitMessage: text(),
      scoreDirection: text(),
    }),
    linkedFormId: nullableText(),
    assessmentFormId: nullableText(),
    allowMultipleApplications: boolean(),
    deadline: nullableText(),
    schemaForm: boolean(),
    formFor: oneOf(audiences).nullable().default(null),
    addPersonPublic: boolean(),
    created: timestamp(),
    updated: timestamp(),
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
  prepare: (form, before?: Readonly<Record<string, unknown>>) => {
    const { questions, questionCount } = form
    if (!Array.isArray(questions)) return form
    const wasCounted =
      Array.isArray(before?.questions) &&
      before.questionCount === before.questions.length &&
      before.questionCount === questionCount
    return {
      ...form,
      questionCount: wasCounted ? questions.length : (questionCount ?? questions.length),
    }
  },
} satisfies Collection

const subject = records(collection)

export const routes = new Hono<Env>()
  .get(
    '/',
    ...list(collection, {
      type: enumFilter('type', types),
      isArchived: booleanFilter('settings.isArchived'),
      formFor: enumFilter('formFor', audiences),
    }),
  )
  .get('/:formId', ...single(subject))
  .route('/', writes(subject))
