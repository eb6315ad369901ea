import type { Context } from 'hono'
import { readFormBody } from '../../../http/body.ts'
import type { ApiError } from '../../../model/api-error.ts'
import { type CollectionInfo, describeCollection } from '../../collection/collection-info.ts'
import { findName, searchName } from '../../collection/picker.tsx'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { type FieldErrors, type FieldValues, parseFieldValues } from '../../ui/form-values.ts'
import { layOutForm } from './layout.ts'
import {
  type FormLayout,
  listQuestions,
  type PropertyChange,
  type RecordQuestion,
} from './question.ts'

/** The form of a collection: its layout and all questions in order. */
export type OpenRecordForm = {
  collection: CollectionInfo
  layout: FormLayout
  questions: readonly RecordQuestion[]
}

/** Opens the form of a collection. Throws 404 for an unknown one. */
export async function openRecordForm(
  c: Context<DashboardEnv>,
  name: string,
  isNew: boolean,
): Promise<OpenRecordForm> {
  const collection = await describeCollection(c, name)
  const layout = await layOutForm(c, collection, isNew)
  return { collection, layout, questions: listQuestions(layout) }
}

/** Reads a submitted form. It is not to be saved if somebody searches for a record or checks dates. */
export async function readSubmitted(
  c: Context<DashboardEnv>,
  questions: readonly RecordQuestion[],
) {
  const fields = await readFormBody(c.req)
  const hasSearch = questions.some(
    ({ names: [name = ''], collection }) => collection && fields[searchName(name)],
  )
  return {
    fields,
    submitted: parseFieldValues(questions, fields),
    isSaved: !hasSearch && fields[findName] === undefined && fields.$check === undefined,
  }
}

/** Parses the answers to questions. */
export async function parseAnswers(
  c: Context<DashboardEnv>,
  questions: readonly RecordQuestion[],
  submitted: FieldValues,
  rendered: FieldValues,
): Promise<{ changes: PropertyChange[]; errors: FieldErrors }> {
  const answers = await Promise.all(
    questions.map((question) => question.parse({ c, submitted, rendered })),
  )
  return {
    changes: answers.flatMap((answer) => ('changes' in answer ? answer.changes : [])),
    errors: Object.assign(
      {},
      ...answers.map((answer) => ('errors' in answer ? answer.errors : {})),
    ),
  }
}

/** Assigns validation errors to the form's fields. Returns the whole message if no field matches. */
export function toQuestionErrors(
  error: ApiError,
  questions: readonly RecordQuestion[],
): { errors: FieldErrors } | { error: string } {
  const errors = Object.fromEntries(
    error.errors.flatMap(({ field: path, message }) => {
      // The records of a series have their position in the path.
      const field = path.replace(/^events\.\d+\./, '')
      const isIn = (name: string) => field === name || field.startsWith(`${name}.`)
      const question = questions.find(({ properties }) => properties.some(isIn))
      return question ? [[question.names.find(isIn) ?? question.names[0], message]] : []
    }),
  )
  return Object.keys(errors).length > 0 ? { errors } : { error: error.message }
}
