import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { pathIn } from '../page.tsx'

/** Where an organisation's records are. */
export const pathOfRecords = (c: Context<DashboardEnv>) => pathIn(c, '/records')

/** Where a collection is. */
export const pathOfCollection = (c: Context<DashboardEnv>, name: string) =>
  `${pathOfRecords(c)}/${name}`

/** Where a record is. */
export const pathOfRecord = (c: Context<DashboardEnv>, name: string, id: string) =>
  `${pathOfCollection(c, name)}/${encodeURIComponent(id)}`

/** Where the API has a record, below its root. */
export const apiPathOf = (name: string, id: string) => `/${name}/${encodeURIComponent(id)}`

/** Where a record of a collection is made. */
export const pathOfNew = (c: Context<DashboardEnv>, name: string) =>
  `${pathOfRecords(c)}/new/${name}`

/** Where the records that pass the filters are downloaded from. */
export const pathOfCsv = (
  c: Context<DashboardEnv>,
  name: string,
  filters: URLSearchParams = new URLSearchParams(),
) => `${pathOfRecords(c)}/csv/${name}?${filters}`
