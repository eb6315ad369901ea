import type { Context } from 'hono'
import { type SortedCursor, sortedRecords } from '../../store/read/sorted.ts'
import { callApi } from '../session/api.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { type CollectionInfo, toValues, type Values } from './described.ts'
import { type ListQuery, toApiQuery } from './list-query.ts'

/** The records of a page as values. */
export type ListedRecords = {
  records: readonly Values[]
  /** How many there are in all, where the list tells. */
  total: number | undefined
  /** Whether there are more behind them; in an order, the place to go on from. */
  hasMore: boolean
  nextCursor?: SortedCursor | undefined
  /** What the API says beside them, such as that a filter names no field. */
  warning: string | undefined
}

/** A page of a collection: what the API lists, or in the order of a field, what the index does. */
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
  // One more than is shown tells whether there are more, where there is no total.
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

// To count them; a page may not be empty.
const countOnly = { limit: 1, offset: 0, filters: [] }
