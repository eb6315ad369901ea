import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { type SortedPlace, sortedRecords } from '../../store/sorted.ts'
import { ask } from '../api.ts'
import { type Described, type Values, valuesOf } from './described.ts'
import { apiQueryOf, type ListQuery } from './list-query.ts'

/** The records of a page as values. */
export type Listed = {
  records: readonly Values[]
  /** How many there are in all, where the list tells. */
  total: number | undefined
  /** Whether there are more behind them; in an order, the place to go on from. */
  more: boolean
  next?: SortedPlace | undefined
  /** What the API says beside them, such as that a filter names no field. */
  warning: string | undefined
}

/** A page of a collection: what the API lists, or in the order of a field, what the index does. */
export async function listed(
  c: Context<DashboardEnv>,
  described: Described,
  query: ListQuery,
): Promise<Listed> {
  const { name, plural, kind } = described
  if (query.sort) {
    const found = await sortedRecords(c.var.store, name, {
      ...query.sort,
      limit: query.size,
      after: query.after,
    })
    const records = found.records.map(({ document }): Values => JSON.parse(document))
    const more = found.next !== undefined
    return { records, total: undefined, more, next: found.next, warning: undefined }
  }
  // One more than is shown tells whether there are more, where there is no total.
  const limit = kind === 'members' ? query.size + 1 : query.size
  const [answer, counted] = await Promise.all([
    ask(c, `/${name}?${apiQueryOf(query, limit)}`),
    kind === 'members' && query.filters.length === 0
      ? c.var.store.people(kind, oneOfAll, true)
      : undefined,
  ])
  const body = await answer.json<Record<string, unknown>>()
  const found = body[plural] as Values[]
  const total = typeof body.total === 'number' ? body.total : counted?.total
  return {
    records: found.slice(0, query.size).map((record) => valuesOf(described, record)),
    total,
    more: total === undefined ? found.length > query.size : query.offset + found.length < total,
    warning: answer.headers.get('Warning')?.replace(/^\d+ \S+ "(.*)"$/, '$1'),
  }
}

// To count them; a page may not be empty.
const oneOfAll = { limit: 1, offset: 0, filters: [] }
