import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'
import { dashboardPath } from '../ui/page.tsx'

/** Where an organisation's records are. */
export const recordsPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/records')

/** Where a collection is. */
export const collectionPath = (c: Context<DashboardEnv>, name: string) =>
  `${recordsPath(c)}/${name}`

/** Where a record is. */
export const recordPath = (c: Context<DashboardEnv>, name: string, id: string) =>
  `${collectionPath(c, name)}/${encodeURIComponent(id)}`

/** Where the API has a record, below its root. */
export const apiRecordPath = (name: string, id: string) => `/${name}/${encodeURIComponent(id)}`

/** Where a record of a collection is made. */
export const newRecordPath = (c: Context<DashboardEnv>, name: string) =>
  `${recordsPath(c)}/new/${name}`

/** Where the records that pass the filters are downloaded from. */
export const csvPath = (
  c: Context<DashboardEnv>,
  name: string,
  filters: URLSearchParams = new URLSearchParams(),
) => `${recordsPath(c)}/csv/${name}?${filters}`
