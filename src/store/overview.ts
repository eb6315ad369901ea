import { type SQL, sql } from 'drizzle-orm'
import { inTime } from '../platform/in-time.ts'
import { statement } from './statement.ts'

/** An organisation in numbers. */
export type Overview = {
  collections: { collection: string; total: number }[]
  /** How many members there were at the end of each month (`YYYY-MM`) with an import, oldest first. */
  members: { month: string; total: number }[]
  grants: { status: string; count: number }[]
  imports: { at: string; collection: string; records: number }[]
}

/** How many records an organisation has and had; from indexes alone, so it costs some hundred rows whatever its size. */
export async function overview(
  d1: D1Database,
  organisationId: string,
  collections: readonly string[],
): Promise<Overview> {
  const of = sql`organisation_id = ${organisationId}`
  const read = d1.batch(
    [
      sql`SELECT name.value AS collection, coalesce((
          SELECT max(position) FROM records WHERE ${of} AND collection = name.value
        ), 0) AS total FROM json_each(${JSON.stringify(collections)}) AS name`,
      sql`SELECT month, total FROM (
          SELECT substr(at, 1, 7) AS month, total, max(id) FROM imports
          WHERE ${of} AND collection = 'members' GROUP BY month ORDER BY month DESC LIMIT 12
        ) ORDER BY month`,
      sql`SELECT value AS status, count FROM terms
        WHERE ${of} AND collection = 'grant-applications' AND field = 'status'
        ORDER BY count DESC, value`,
      sql`SELECT at, collection, records FROM imports WHERE ${of} ORDER BY id DESC LIMIT 10`,
    ].map((query: SQL) => statement(d1, query)),
  )
  const [totals, members, grants, imports] = await inTime(read)
  return {
    collections: rows(totals),
    members: rows(members),
    grants: rows(grants),
    imports: rows(imports),
  }
}

// The columns of each query above are the properties of the row it gives.
const rows = <Row>(result: D1Result | undefined) => (result?.results ?? []) as Row[]
