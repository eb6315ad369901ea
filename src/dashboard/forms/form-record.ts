import type { Context } from 'hono'
import { parsePreconditions } from '../../http/preconditions.ts'
import { type ApiError, isErrorOf } from '../../model/api-error.ts'
import { audiences, type SurveyForm } from '../../model/forms/survey-form.ts'
import { type Kind, kindNames } from '../../model/properties/schema.ts'
import { isOpenToEverybody } from '../../sign-up/forms/publishing.ts'
import { describeCollection } from '../collection/collection-info.ts'
import { loadRecord } from '../collection/read.ts'
import type { DashboardEnv } from '../session/signed-in.ts'

/** The context of a request for one form. */
export type FormContext = Context<DashboardEnv, '/:formId/*'>

/** A form with the ETag that it was read with. */
type LoadedForm = { form: SurveyForm; etag: string }

/** Loads the form in the path, or throws 404. */
export async function loadForm(c: FormContext): Promise<LoadedForm> {
  const collection = await describeCollection(c, 'forms')
  const { values, etag } = await loadRecord(c, collection, c.req.param('formId'))
  // Validation gives a stored form every property.
  return { form: values as SurveyForm, etag }
}

/** The kind of people that a form is for; members by default. */
export const personKind = ({ formFor }: SurveyForm): Kind =>
  kindNames.find((kind) => audiences[kind].formFor === formFor) ?? 'members'

/** Counts the responses to a form; undefined if the user may not see responses. */
export async function countResponses(
  c: Context<DashboardEnv>,
  formId: string,
): Promise<number | undefined> {
  const { list } = await describeCollection(c, 'survey-responses')
  const { total } = await list.page(c.var.store, {
    limit: 0,
    offset: 0,
    filters: [{ field: 'surveyId', values: [formId] }],
    options: { orderBy: [], isCounted: true },
  })
  return total
}

/** The reason why nothing was saved, and the status of the page that says so. */
type Refusal = { message: string; status: 400 | 412 }

/** Merges a change into the form in the path. Returns why it cannot be saved, or undefined if it is. */
export async function saveForm(
  c: FormContext,
  etag: string,
  patch: Partial<SurveyForm>,
): Promise<Refusal | undefined> {
  const { resource } = await describeCollection(c, 'forms')
  const preconditions = parsePreconditions({ 'If-Match': etag })
  try {
    const id = c.req.param('formId')
    const records = await c.var.openRecords()
    await records.merge(resource, id, { ...patch }, preconditions, resource.related)
    return undefined
  } catch (error) {
    if (isErrorOf(error, 'PRECONDITION_FAILED')) return { message: conflict, status: 412 }
    const question = isErrorOf(error, 'BAD_REQUEST') && findDependentQuestion(error, patch)
    if (!question) throw error
    return {
      message: `“${question.title}” is asked only after some answers to an earlier question. This change would take them away, so nothing was saved. Change “${question.title}” first.`,
      status: 400,
    }
  }
}

const conflict =
  'Somebody else changed this form while you had it open, so nothing was saved. Look at it and try again.'

/** The question with a condition that a change contradicts. */
function findDependentQuestion({ errors }: ApiError, { questions = [] }: Partial<SurveyForm>) {
  const [, index] = /^questions\.(\d+)\.\$showIf\./.exec(errors[0]?.field ?? '') ?? []
  return index === undefined ? undefined : questions[Number(index)]
}

/** Who can answer a form, or the first obstacle. */
export function describeFormAccess(
  form: Pick<SurveyForm, 'addPersonPublic' | 'settings'>,
  [obstacle]: readonly string[],
): string {
  if (obstacle) return `Nobody. ${obstacle}`
  return isOpenToEverybody(form) ? 'Anyone with the address.' : 'People with a personal link.'
}
