import { type SQL, sql } from 'drizzle-orm'
import type { Filter } from '../model/filter.ts'
import { matches } from './matches.ts'
import type { Scope } from './scope.ts'

/** What to read of a collection: one page of the records that pass the filters. */
export type PageQuery = { limit: number; offset: number; filters: readonly Filter[] }

/** SQL for a page of a collection: what a SELECT takes it `from`, how many records pass the filters, and the WITH clause that both need. */
export function recordsOf(
  scope: Scope,
  { limit, offset, filters }: PageQuery,
  counted: boolean,
): { from: SQL; total: SQL; with?: SQL } {
  if (filters.length === 0) {
    const inCollection = sql`organisation_id = ${scope.organisationId} AND collection = ${scope.collection}`
    return {
      total: sql`(SELECT max(position) FROM records WHERE ${inCollection})`,
      from: sql`FROM records WHERE ${inCollection} AND position > ${offset}
        ORDER BY position LIMIT ${limit}`,
    }
  }
  const { rows, ...others } = matches(scope, filters, { limit, offset, counted })
  return {
    ...others,
    from: sql`FROM (${rows}) AS matched CROSS JOIN records USING (row) ORDER BY matched.row`,
  }
}
