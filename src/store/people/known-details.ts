import { sql } from 'drizzle-orm/sql'
import { integer, text } from '../columns.ts'
import { ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'

/*
 * The page with the quality of the data counts these numbers anyway, so its GET request also saves them, which changes
 * no version. A scheduled count would read every person of organisations that never open the page.
 */

/** How many people of a kind have a detail, by the id of the first field that holds it. */
export type KnownCount = { collection: string; field: string; known: number; total: number }

/** The numbers of a past month, such as `2026-11`. */
export type PastCounts = { month: string; counts: readonly KnownCount[] }

/** The number of months after which the numbers are deleted. */
const retentionMonths = 60

/** Reads the numbers of the earliest stored month from `from` on and before `before`. */
export async function readPastCounts(
  store: Store,
  { from, before }: { from: string; before: string },
): Promise<PastCounts | undefined> {
  const isOwn = ofOrganisation(store)
  const { rows } = await store.select({
    rows: {
      columns: {
        month: text(sql`month`),
        collection: text(sql`collection`),
        field: text(sql`field`),
        known: integer(sql`known`),
        total: integer(sql`total`),
      },
      from: sql`FROM known_details WHERE ${isOwn} AND month = (
        SELECT min(month) FROM known_details WHERE ${isOwn} AND month >= ${from} AND month < ${before}
      )`,
    },
  })
  const [first] = rows
  return first && { month: first.month, counts: rows.map(({ month: _, ...count }) => count) }
}

/** Saves the numbers of a month, which replace earlier ones of that month. Writes no row that stays the same. */
export async function saveCounts(
  store: Store,
  month: string,
  counts: readonly KnownCount[],
): Promise<void> {
  await store.write({ permissions: ['write'], isInternal: true }, [
    sql`INSERT INTO known_details (organisation_id, collection, month, field, known, total)
      SELECT ${store.organisationId}, value ->> 'collection', ${month}, value ->> 'field',
        value ->> 'known', value ->> 'total'
      FROM json_each(${JSON.stringify(counts)}) WHERE true
      ON CONFLICT DO UPDATE SET known = excluded.known, total = excluded.total
        WHERE known <> excluded.known OR total <> excluded.total`,
    sql`DELETE FROM known_details WHERE ${ofOrganisation(store)} AND month <= (
      SELECT strftime('%Y-%m', ${`${month}-01`}, ${`-${retentionMonths} months`})
    )`,
  ])
}
