import type { Context } from 'hono'
import { parseQuery } from '../../http/query.ts'
import { isPathSegment } from '../../model/properties/types.ts'
import { notFound } from '../../records/delete.ts'
import { requireRecord } from '../../resources/routes/single-route.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import type { CollectionInfo, Values } from './collection-info.ts'

/** A page of records, and the total if the list has one. */
type RecordPage = {
  records: readonly Values[]
  total: number | undefined
  /** A warning about a filter, as a header. */
  warning: string | undefined
}

/** Reads a page of a collection with the query of its list in the API. */
export async function loadRecords(
  c: Context<DashboardEnv>,
  { list }: CollectionInfo,
  params: URLSearchParams,
): Promise<RecordPage> {
  const { limit = 100, ...query } = parseQuery(list.contract.query, params)
  const { documents, total, headers } = await list.page(c.var.store, { ...query, limit })
  return {
    records: documents().map((document): Values => JSON.parse(document)),
    total,
    warning: headers?.Warning,
  }
}

/** A record with its ETag and times. */
export type LoadedRecord = {
  id: string
  values: Values
  etag: string
  created: string
  updated: string
}

/** Loads the record with this id, or throws 404. */
export async function loadRecord(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  id: string,
): Promise<LoadedRecord> {
  const { resource, id: idName } = collection
  if (id === '' || !isPathSegment(id)) throw notFound(resource)
  const query = new URLSearchParams({ [idName]: id, $include: 'times', limit: '1' })
  const [{ record }, { records }] = await Promise.all([
    requireRecord(c.var.store, resource, id),
    loadRecords(c, collection, query),
  ])
  const [times] = records
  return {
    id,
    values: JSON.parse(record.document),
    etag: `"${record.version}"`,
    created: String(times?.$created ?? ''),
    updated: String(times?.$updated ?? ''),
  }
}
