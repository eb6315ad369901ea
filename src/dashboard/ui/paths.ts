import type { Context } from 'hono'
import type { Kind } from '../../model/properties/schema.ts'
import type { DashboardEnv } from '../session/signed-in.ts'

export const recordsPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/records')

export const collectionPath = (c: Context<DashboardEnv>, name: string) =>
  `${recordsPath(c)}/${name}`

export const recordPath = (c: Context<DashboardEnv>, name: string, id: string) =>
  `${collectionPath(c, name)}/${encodeURIComponent(id)}`

/** The path of the likely duplicates of a kind of people. */
export const duplicatesPath = (c: Context<DashboardEnv>, kind: string) =>
  `${recordsPath(c)}/duplicates/${kind}`

/** The path of the recently deleted records. */
export const deletedPath = (c: Context<DashboardEnv>) => `${recordsPath(c)}/deleted`

/** The path of an event's register. */
export const registerPath = (c: Context<DashboardEnv>, eventId: string) =>
  dashboardPath(c, `/events/${encodeURIComponent(eventId)}`)

/** The path of the questions that an event asks besides the sign-up fields. */
export const eventQuestionsPath = (c: Context<DashboardEnv>, eventId: string) =>
  `${registerPath(c, eventId)}/questions`

/** The path below which the pages change the dates of a series. */
export const seriesPath = (c: Context<DashboardEnv>, seriesId: string) =>
  `${recordsPath(c)}/series/${encodeURIComponent(seriesId)}`

/** The path of the messages about an event, or of a page below it. */
export const messagesPath = (c: Context<DashboardEnv>, eventId: string, page = '') =>
  `${registerPath(c, eventId)}/messages${page}`

/** The path of the registers of a series as a sheet of ticks. */
export const tickSheetPath = (c: Context<DashboardEnv>, eventId: string, format: 'csv' | 'xlsx') =>
  `${registerPath(c, eventId)}/sheet/${format}`

/** The path of the form for a new record. */
export const newRecordPath = (c: Context<DashboardEnv>, name: string) =>
  `${recordsPath(c)}/new/${name}`

/** The path of a list's download; its query is that of the list. */
export const downloadPath = (c: Context<DashboardEnv>, format: 'csv' | 'xlsx', name: string) =>
  `${recordsPath(c)}/${format}/${name}`

export const formsPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/forms')

/** The path of a form's questions. */
export const formPagePath = (c: Context<DashboardEnv>, formId: string) =>
  `${formsPath(c)}/${encodeURIComponent(formId)}`

/** The path of the results of a form. */
export const surveyPath = (c: Context<DashboardEnv>, formId: string) =>
  `${formPagePath(c, formId)}/results`

/** The path of the list of responses to a form. */
export const responsesPath = (c: Context<DashboardEnv>, formId: string) =>
  `${collectionPath(c, 'survey-responses')}?${new URLSearchParams({ surveyId: formId })}`

export const organisationPath = (organisationId: string) =>
  `/dashboard/${encodeURIComponent(organisationId)}`

/** The path of a page of the current organisation. */
export const dashboardPath = (c: Context<DashboardEnv>, path = '') =>
  // Pages have many links, and `c.var` would copy all variables for each.
  organisationPath(c.get('membership')?.organisationId ?? '') + path

/** The path of a finished or interrupted import. */
export const storedImportPath = (c: Context<DashboardEnv>, id: number) =>
  dashboardPath(c, `/import/done/${id}`)

/** The address that undoes an import or a bulk edit when a form is sent to it. */
export const undoPath = (c: Context<DashboardEnv>, id: number) => `${storedImportPath(c, id)}/undo`

export const keysPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/settings/api-keys')

export const webhooksPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/settings/webhooks')

/** The path that leads to the first page of an organisation that the user may open. */
export const homePath = (organisationId: string) => `${organisationPath(organisationId)}/home`

export const schemaPath = (c: Context<DashboardEnv>, kind: Kind) =>
  dashboardPath(c, `/settings/schema/${kind}`)
