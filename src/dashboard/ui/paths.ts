import type { Context } from 'hono'
import { dashboardPages } from '../../model/organisation-id.ts'
import type { Kind } from '../../model/properties/schema.ts'
import type { DashboardEnv } from '../session/signed-in.ts'

/** The path of the organisation's records. */
export const recordsPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/records')

/** The path of a collection. */
export const collectionPath = (c: Context<DashboardEnv>, name: string) =>
  `${recordsPath(c)}/${name}`

/** The path of a record. */
export const recordPath = (c: Context<DashboardEnv>, name: string, id: string) =>
  `${collectionPath(c, name)}/${encodeURIComponent(id)}`

/** The path of the form for a new record. */
export const newRecordPath = (c: Context<DashboardEnv>, name: string) =>
  `${recordsPath(c)}/new/${name}`

/** The path of the CSV download of filtered records. */
export const csvPath = (
  c: Context<DashboardEnv>,
  name: string,
  filters: URLSearchParams = new URLSearchParams(),
) => `${recordsPath(c)}/csv/${name}?${filters}`

/** The path of an organisation's pages. */
const organisationPath = (organisationId: string) =>
  `/dashboard/${encodeURIComponent(organisationId)}`

/** The path of a page of the current organisation. */
export const dashboardPath = (c: Context<DashboardEnv>, path = '') =>
  organisationPath(c.var.membership?.organisationId ?? '') + path

/** The path of API keys in the settings. */
export const keysPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/settings/api-keys')

/** The path of webhooks in the settings. */
export const webhooksPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/settings/webhooks')

/** The path of an organisation's overview. Older organisations may have the id of a page; theirs ends with `/overview`. */
export const overviewPath = (organisationId: string) =>
  organisationPath(organisationId) + (dashboardPages.includes(organisationId) ? '/overview' : '')

/** The path of a person kind's schema. */
export const schemaPath = (c: Context<DashboardEnv>, kind: Kind) =>
  dashboardPath(c, `/settings/schema/${kind}`)
