import { and, asc, desc, eq, inArray, max, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { inTime } from '../platform/in-time.ts'
import { imports, terms } from './tables.ts'

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
  const db = drizzle(d1)
  const month = sql<string>`substr(${imports.at}, 1, 7)`
  const [totals, members, grants, latest] = await inTime(
    db.batch([
      db
        .select({ collection: terms.collection, total: terms.count })
        .from(terms)
        .where(
          and(
            eq(terms.organisationId, organisationId),
            inArray(terms.collection, [...collections]),
            eq(terms.field, ''),
            eq(terms.value, sql`x''`),
          ),
        ),
      // Beside max(), SQLite gives the columns of the row that has it.
      db
        .select({
          month: sql<string>`${month}`.as('month'),
          total: imports.total,
          id: max(imports.id),
        })
        .from(imports)
        .where(and(eq(imports.organisationId, organisationId), eq(imports.collection, 'members')))
        .groupBy(month)
        .orderBy(desc(month))
        .limit(12),
      db
        .select({ status: sql<string>`${terms.value}`.as('status'), count: terms.count })
        .from(terms)
        .where(
          and(
            eq(terms.organisationId, organisationId),
            eq(terms.collection, 'grant-applications'),
            eq(terms.field, 'status'),
          ),
        )
        .orderBy(desc(terms.count), asc(terms.value)),
      db
        .select({ at: imports.at, collection: imports.collection, records: imports.records })
        .from(imports)
        .where(eq(imports.organisationId, organisationId))
        .orderBy(desc(imports.id))
        .limit(10),
    ]),
  )
  const counted = new Map(totals.map(({ collection, total }) => [collection, total]))
  return {
    collections: collections.map((collection) => ({
      collection,
      total: counted.get(collection) ?? 0,
    })),
    members: members.reverse().map(({ month, total }) => ({ month, total })),
    grants,
    imports: latest,
  }
}
