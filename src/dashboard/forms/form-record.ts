import type { Context } from 'hono'
import { parsePreconditions } from '../../http/preconditions.ts'
import { isErrorOf } from '../../model/api-error.ts'
import type { SurveyForm } from '../../model/forms/survey-form.ts'
import { isOpenToEverybody } from '../../sign-up/forms/publishing.ts'
import { describeCollection } from '../collection/collection-info.ts'
import { loadRecord } from '../collection/read.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { dashboardPath } from '../ui/paths.ts'

/** The context of a request for one form. */
export type FormContext = Context<DashboardEnv, '/:formId/*'>

export const formsPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/forms')

export const formPagePath = (c: Context<DashboardEnv>, formId: string) =>
  `${formsPath(c)}/${encodeURIComponent(formId)}`

/** A form with the ETag that it was read with. */
type LoadedForm = { form: SurveyForm; etag: string }

/** Loads the form in the path, or throws 404. */
export async function loadForm(c: FormContext): Promise<LoadedForm> {
  const collection = await describeCollection(c, 'forms')
  const { values, etag } = await loadRecord(c, collection, c.req.param('formId'))
  // Validation gives a stored form every property.
  return { form: values as SurveyForm, etag }
}

/** Merges a change into the form in the path. Returns false if somebody else changed it since `etag`. */
export async function saveForm(c: FormContext, etag: string, patch: object): Promise<boolean> {
  const { resource } = await describeCollection(c, 'forms')
  const preconditions = parsePreconditions({ 'If-Match': etag })
  try {
    const id = c.req.param('formId')
    const records = await c.var.openRecords()
    await records.merge(resource, id, { ...patch }, preconditions, resource.related)
    return true
  } catch (error) {
    if (isErrorOf(error, 'PRECONDITION_FAILED')) return false
    throw error
  }
}

export const formConflictMessage =
  'Somebody else changed this form while you had it open, so nothing was saved. Look at it and try again.'

/** Who can answer a form, or the first obstacle. */
export function describeFormAccess(
  form: Pick<SurveyForm, 'addPersonPublic' | 'settings'>,
  [obstacle]: readonly string[],
): string {
  if (obstacle) return `Nobody. ${obstacle}`
  return isOpenToEverybody(form) ? 'Anyone with the address.' : 'People with a personal link.'
}
