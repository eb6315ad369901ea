import type { Context } from 'hono'
import { type SortedCursor, sortedRecords } from '../../store/read/sorted.ts'
import { callApi } from '../session/api.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { type CollectionInfo, toValues, type Values } from './described.ts'
import { type ListQuery, toApiQuery } from './list-query.ts'

/** One page of records. */
export type ListedRecords = {
  records: readonly Values[]
  /** The total, if known. */
  total: number | undefined
  /** Whether more records follow. A sorted list continues from `nextCursor`. */
  hasMore: boolean
  nextCursor?: SortedCursor | undefined
  /** A warning from the API, such as an unknown field in a filter. */
  warning: string | undefined
}

/** Lists a page of a collection: from the API, or sorted by a field from the index. */
export async function listRecords(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  query: ListQuery,
): Promise<ListedRecords> {
  const { name, plural, kind } = collection
  if (query.sort) {
    const sorted = await sortedRecords(c.var.store, name, {
      ...query.sort,
      limit: query.size,
      after: query.after,
    })
    const records = sorted.records.map(({ document }): Values => JSON.parse(document))
    const hasMore = sorted.next !== undefined
    return { records, total: undefined, hasMore, nextCursor: sorted.next, warning: undefined }
  }
  // Without a total, one extra record shows whether more follow.
  const limit = kind === 'members' ? query.size + 1 : query.size
  const [response, count] = await Promise.all([
    callApi(c, `/${name}?${toApiQuery(query, limit)}`),
    kind === 'members' && query.filters.length === 0
      ? c.var.store.people(kind, countOnly, true)
      : undefined,
  ])
  const body = await response.json<Record<string, unknown>>()
  const rows = body[plural] as Values[]
  const total = typeof body.total === 'number' ? body.total : count?.total
  return {
    records: rows.slice(0, query.size).map((record) => toValues(collection, record)),
    total,
    hasMore: total === undefined ? rows.length > query.size : query.offset + rows.length < total,
    warning: response.headers
      .get('Warning')
      ?.replace(/^\d+ \S+ "(.*)"$/, '$1')
      .replaceAll('\\', ''),
  }
}

// Counts records only. The limit must be at least 1.
const countOnly = { limit: 1, offset: 0, filters: [] }
