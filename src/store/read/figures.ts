import { sql } from 'drizzle-orm/sql'
import { integer, json, text } from '../columns.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'

/**
 * A collection's record count, the arrival time of its newest record and the time of its last
 * import, or ''.
 */
type CollectionSummary = {
  collection: string
  total: number
  newest: string
  imported: string
}

/** A summary of each collection, in the given order. */
export async function summariseCollections(
  store: Store,
  collections: readonly string[],
): Promise<CollectionSummary[]> {
  const { rows } = await store.select({
    rows: {
      columns: {
        collection: text(sql`item.value`),
        total: integer(sql`coalesce((SELECT count FROM terms
          WHERE ${ofOrganisation(store, 'terms')} AND terms.collection = item.value
            AND terms.field = '' AND terms.value = x''), 0)`),
        newest: text(sql`coalesce((SELECT created FROM records
          WHERE ${ofOrganisation(store, 'records')} AND records.collection = item.value
          ORDER BY ordinal DESC LIMIT 1), '')`),
        imported: text(sql`coalesce((SELECT max(latest.at) FROM (
          SELECT at, collection FROM imports WHERE ${ofOrganisation(store, 'imports')}
          ORDER BY id DESC LIMIT 100
        ) AS latest WHERE latest.collection = item.value), '')`),
      },
      from: sql`FROM json_each(${JSON.stringify(collections)}) AS item`,
    },
  })
  return rows
}

/**
 * Sums properties, grouped by the values of others; returns undefined for a large collection. Reads
 * every record, because the index has no sums.
 */
export async function sumBy(
  store: Store,
  { collection, by, of }: { collection: string; by: readonly string[]; of: readonly string[] },
): Promise<{ by: string[]; records: number; of: number[] }[] | undefined> {
  const value = (name: string) => sql`document ->> ${`$.${name}`}`
  const groups = by.map((name) => sql`CAST(coalesce(${value(name)}, '') AS TEXT)`)
  const sums = of.map((name) => sql`coalesce(sum(${value(name)}), 0)`)
  const { rows } = await store.select({
    rows: {
      columns: {
        by: json<string[]>(sql`json_array(${sql.join(groups, sql`, `)})`),
        records: integer(sql`count(*)`),
        of: json<number[]>(sql`json_array(${sql.join(sums, sql`, `)})`),
      },
      from: sql`FROM (
          SELECT document FROM records WHERE ${ofCollection(store, collection)}
          LIMIT ${sql.raw(String(maxSummed + 1))}
        ) GROUP BY 1`,
    },
  })
  const read = rows.reduce((sum, { records }) => sum + records, 0)
  return read > maxSummed ? undefined : rows
}

/** The maximum number of records to sum. */
const maxSummed = 20_000
