import { sql } from 'drizzle-orm/sql'
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

/** Returns a summary of each collection, in the given order. */
export async function summariseCollections(
  store: Store,
  collections: readonly string[],
): Promise<CollectionSummary[]> {
  const ofOrganisation = sql`organisation_id = ${store.organisationId}`
  const rows = await store.rows({
    columns: ['collection', 'total', 'newest', 'imported'],
    rows: sql`SELECT
      item.value AS collection,
      (SELECT count FROM terms WHERE ${ofOrganisation} AND collection = item.value AND field = '' AND value = x'') AS total,
      (SELECT created FROM records WHERE ${ofOrganisation} AND collection = item.value
        ORDER BY ordinal DESC LIMIT 1) AS newest,
      (SELECT max(at) FROM (SELECT at, collection FROM imports WHERE ${ofOrganisation} ORDER BY id DESC LIMIT 100)
        AS imports WHERE imports.collection = item.value) AS imported
      FROM json_each(${JSON.stringify(collections)}) AS item`,
  })
  return rows.map(({ collection, total, newest, imported }) => ({
    collection: String(collection),
    total: Number(total ?? 0),
    newest: String(newest ?? ''),
    imported: String(imported ?? ''),
  }))
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
  const [groups, summed] = [
    by.map((name, index) => sql`${value(name)} AS ${sql.identifier(`by${index}`)}`),
    of.map((name, index) => sql`sum(${value(name)}) AS ${sql.identifier(`of${index}`)}`),
  ]
  const groupNumbers = by.map((_, index) => sql.raw(String(index + 1)))
  const rows = await store.rows({
    columns: [
      ...by.map((_, index) => `by${index}`),
      ...of.map((_, index) => `of${index}`),
      'records',
    ],
    rows: sql`SELECT ${sql.join([...groups, ...summed], sql`, `)}, count(*) AS records
      FROM (
        SELECT document FROM records
        WHERE organisation_id = ${store.organisationId} AND collection = ${collection}
        LIMIT ${sql.raw(String(maxSummed + 1))}
      ) GROUP BY ${sql.join(groupNumbers, sql`, `)}`,
  })
  const results = rows.map((row) => ({
    by: by.map((_, index) => String(row[`by${index}`] ?? '')),
    records: Number(row.records),
    of: of.map((_, index) => Number(row[`of${index}`] ?? 0)),
  }))
  const read = results.reduce((sum, { records }) => sum + records, 0)
  return read > maxSummed ? undefined : results
}

/** The maximum number of records to sum. */
const maxSummed = 20_000
