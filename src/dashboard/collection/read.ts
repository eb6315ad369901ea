import type { Context } from 'hono'
import { recordEtag } from '../../http/etags.ts'
import { parseQuery, toRawQuery } from '../../http/query.ts'
import { formatRecordCount, notFound } from '../../model/collection.ts'
import { isKind } from '../../model/properties/schema.ts'
import { isPathSegment } from '../../model/properties/types.ts'
import { type Reference, references } from '../../model/references.ts'
import { requireRecord } from '../../resources/routes/single-route.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { type CollectionInfo, describeCollection, type ShownValues } from './collection-info.ts'

/** A page of records, and the total if the list has one. */
type RecordPage = {
  records: readonly ShownValues[]
  total: number | undefined
  /** A warning about a filter, from the response headers. */
  warning: string | undefined
}

/** Loads a page of a collection through its API list. */
export async function loadRecords(
  c: Context<DashboardEnv>,
  { list }: CollectionInfo,
  params: URLSearchParams,
): Promise<RecordPage> {
  const { limit = 100, ...query } = parseQuery(list.contract.query, toRawQuery(params))
  const { documents, total, headers } = await list.page(c.var.store, { ...query, limit })
  return {
    records: documents().map((document): ShownValues => JSON.parse(document)),
    total,
    warning: headers?.Warning,
  }
}

/** A record can refer to several others, so that a page has more ids than records. */
const maxIdsPerQuery = 1000

/** Loads records by id, one query for 1,000 ids. Unknown ids are absent from the result. */
export async function loadRecordsById(
  c: Context<DashboardEnv>,
  { id, list }: CollectionInfo,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShownValues>> {
  const distinct = [...new Set(ids)].filter((text) => text !== '')
  const records = new Map<string, ShownValues>()
  for (let start = 0; start < distinct.length; start += maxIdsPerQuery) {
    const batch = distinct.slice(start, start + maxIdsPerQuery)
    const query = { limit: batch.length, offset: 0, filters: [], ids: batch }
    const { documents } = await list.page(c.var.store, query)
    for (const document of documents()) {
      const values: ShownValues = JSON.parse(document)
      records.set(String(values[id]), values)
    }
  }
  return records
}

/** A record with its ETag and times. */
export type LoadedRecord = {
  id: string
  values: ShownValues
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
    etag: recordEtag(record.version),
    created: String(times?.$created ?? ''),
    updated: String(times?.$updated ?? ''),
  }
}

/** The records of a collection that refer to a record: the total and the first records. */
export type ReferencingRecords = {
  references: readonly Reference[]
  collection: CollectionInfo
  total: number
  first: readonly ShownValues[]
}

/** Formats the number of a group's records. */
export const describeCount = ({
  total,
  collection,
}: Pick<ReferencingRecords, 'total' | 'collection'>) => formatRecordCount(total, collection.name)

/** Formats numbers of records by collection; '' without any. */
export const describeCounts = (counts: Iterable<[collection: string, count: number]>): string =>
  [...counts]
    .filter(([, count]) => count > 0)
    .map(([collection, count]) => formatRecordCount(count, collection))
    .join(' and ')

/**
 * Finds the records that refer to a record, by collection: those of a person latest first. Omits
 * empty groups. An event has the bookings that name it as their event or as their occurrence.
 */
export async function findReferencing(
  c: Context<DashboardEnv>,
  name: string,
  id: string,
  limit: number | ((collection: string) => number),
): Promise<ReferencingRecords[]> {
  const byCollection = Map.groupBy(
    references.filter(({ to }) => to === name),
    ({ from }) => from,
  )
  const literal = `'${id.replaceAll("'", "''")}'`
  const groups = await Promise.all(
    [...byCollection].map(async ([from, ofCollection]): Promise<ReferencingRecords> => {
      const collection = await describeCollection(c, from)
      const filter = ofCollection.map(({ path }) => `${path} in (${literal})`).join(' or ')
      const maxRecords = typeof limit === 'number' ? limit : limit(from)
      const { records, total } = isKind(name)
        ? await loadLatest(c, collection, filter, maxRecords)
        : await loadFiltered(c, collection, filter, { limit: maxRecords })
      return { references: ofCollection, collection, total, first: records }
    }),
  )
  return groups.filter(({ total }) => total > 0)
}

/** The maximum number of records to sort: each costs three rows. */
const maxSorted = 1000
const maxOffset = 10_000

/** Loads the records with the latest `date`; of more than 1,000, the last to arrive. */
async function loadLatest(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  filter: string,
  limit: number,
) {
  const page = await loadFiltered(c, collection, filter, { limit })
  const { total } = page
  if (total > maxSorted) {
    const offset = Math.min(total - limit, maxOffset)
    const last = await loadFiltered(c, collection, filter, { limit, offset })
    return { total, records: last.records.toReversed() }
  }
  if (total > limit) return loadFiltered(c, collection, filter, { limit, $orderby: 'date desc' })
  const dateOf = ({ date }: ShownValues) => String(date ?? '')
  return {
    total,
    records: page.records.toSorted((one, other) => dateOf(other).localeCompare(dateOf(one))),
  }
}

async function loadFiltered(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  filter: string,
  options: Readonly<Record<string, string | number>>,
) {
  const params = Object.entries({ $filter: filter, $count: 'true', ...options })
  const query = new URLSearchParams(params.map(([name, value]) => [name, String(value)]))
  const { records, total = 0 } = await loadRecords(c, collection, query)
  return { records, total }
}
