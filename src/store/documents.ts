import { sql } from 'drizzle-orm'
import type { Scope } from './scope.ts'
import { statement } from './statement.ts'

/** The documents of these records of a collection, as JSON texts by id; those that there are. */
export async function documentsOf(
  d1: D1Database,
  { organisationId, collection }: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const { results } = await statement(
    d1,
    sql`SELECT id, document FROM records
      WHERE collection = ${collection} AND organisation_id = ${organisationId}
        AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  ).all<{ id: string; document: string }>()
  return new Map(results.map(({ id, document }) => [id, document]))
}
