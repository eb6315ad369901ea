import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'
import { dashboardPath } from '../ui/page.tsx'

/** The path of the organisation's records. */
export const recordsPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/records')

/** The path of a collection. */
export const collectionPath = (c: Context<DashboardEnv>, name: string) =>
  `${recordsPath(c)}/${name}`

/** The path of a record. */
export const recordPath = (c: Context<DashboardEnv>, name: string, id: string) =>
  `${collectionPath(c, name)}/${encodeURIComponent(id)}`

/** The path of a record in the API, relative to its root. */
export const apiRecordPath = (name: string, id: string) => `/${name}/${encodeURIComponent(id)}`

/** The path of the form for a new record. */
export const newRecordPath = (c: Context<DashboardEnv>, name: string) =>
  `${recordsPath(c)}/new/${name}`

/** The path of the CSV download of filtered records. */
export const csvPath = (
  c: Context<DashboardEnv>,
  name: string,
  filters: URLSearchParams = new URLSearchParams(),
) => `${recordsPath(c)}/csv/${name}?${filters}`
