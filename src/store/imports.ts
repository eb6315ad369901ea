import { sql } from 'drizzle-orm'
import { statement } from './statement.ts'

/** An import of one file: what it was of, and how many records it held. */
export type Import = { organisationId: string; collection: string; records: number }

/** Keeps that an import was made, and how many records its collection has after it, for the overview. */
export async function recordImport(d1: D1Database, done: Import): Promise<void> {
  const { organisationId, collection, records } = done
  await statement(
    d1,
    sql`INSERT INTO imports (organisation_id, at, collection, records, total)
      SELECT ${organisationId}, ${new Date().toISOString()}, ${collection}, ${records},
        coalesce(max(position), 0)
      FROM records WHERE organisation_id = ${organisationId} AND collection = ${collection}`,
  ).run()
}
