import { type SQL, sql } from 'drizzle-orm/sql'
import { bitmapColumns, bitsSet, termId } from '../bitmap/bits.ts'
import { maxRowsRead } from '../bitmap/matches.ts'
import type { Scope } from '../statement.ts'
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
 * The values of a field to count: all, a range (from ≤ value < to) or a list, in full or by their
 * first characters.
 */
type CountQuery = {
  collection: string
  field: string
  from?: string
  to?: string
  values?: readonly string[]
  characters?: number
  /**
   * Counts only records with `true` in this field. The counted field must have at most one value
   * per record.
   */
  andTrue?: string
  /** The maximum number of values, most frequent first. */
  limit?: number
}

/**
 * Counts the records with each value from the index alone; returns undefined beyond `maxRead`
 * values or blocks. Reads one row per value; `andTrue` adds two rows per block of a value and one
 * per block of a name.
 */
export async function countBy(
  store: Store,
  query: CountQuery,
  maxRead = maxCounted,
): Promise<Map<string, number> | undefined> {
  const { collection, characters, andTrue, limit } = query
  const scope = { organisationId: store.organisationId, collection }
  const name = characters
    ? sql`substr(terms.value, 1, ${sql.raw(String(characters))})`
    : sql`terms.value`
  const conditions = toConditions(scope, query)
  const end = sql`LIMIT ${sql.raw(String(maxRead + 1))}`
  const counts = andTrue
    ? sql`SELECT name, ${sql.raw(bitsSet)} AS count, blocks AS read FROM (
        SELECT name, blocks, ${columns((column) => `a.${column} & b.${column}`)}
        FROM (
          -- No record has two of these values, so adding their bits is ORing them.
          SELECT name, block, count(*) AS blocks, ${columns((column) => `sum(${column})`)}
          FROM (
            SELECT ${name} AS name, bitmaps.*
            FROM terms CROSS JOIN bitmaps ON bitmaps.term_id = terms.id
            WHERE ${conditions} ${end}
          ) GROUP BY 1, 2
        ) AS a
        LEFT JOIN bitmaps AS b ON b.block = a.block AND b.term_id = ${trueTerm(scope, andTrue)}
      )`
    : sql`SELECT ${name} AS name, terms.count, 1 AS read FROM terms WHERE ${conditions} ${end}`
  const order = limit ? sql`ORDER BY 2 DESC, 1 LIMIT ${sql.raw(String(limit))}` : sql`ORDER BY 1`
  const rows = await store.rows({
    columns: ['name', 'count', 'read'],
    rows: sql`SELECT name, sum(count) AS count, sum(sum(read)) OVER () AS read
      FROM (${counts}) GROUP BY name ${order}`,
  })
  if (Number(rows[0]?.read ?? 0) > maxRead) return undefined
  return new Map(rows.map(({ name, count }) => [String(name), Number(count)]))
}

/** The maximum number of values or blocks to count. Each block costs two rows and a grouping pass. */
const maxCounted = maxRowsRead / 4

const columns = (of: (column: string) => string) =>
  sql.raw(bitmapColumns.map((column) => `${of(column)} AS ${column}`).join(', '))

function toConditions(scope: Scope, { field, from, to, values }: CountQuery): SQL {
  const conditions = [
    ofField(scope, field),
    ...(from ? [sql`terms.value >= ${from}`] : []),
    ...(to ? [sql`terms.value < ${to}`] : []),
    ...(values
      ? [sql`terms.value IN (SELECT value FROM json_each(${JSON.stringify(values)}))`]
      : []),
  ]
  return sql.join(conditions, sql` AND `)
}

const trueTerm = (scope: Scope, field: string) => termId(scope, field, sql`x'01'`)

const ofField = ({ organisationId, collection }: Scope, field: string) =>
  sql`terms.organisation_id = ${organisationId} AND terms.collection = ${collection}
    AND terms.field = ${field}`

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

/** Returns the documents of the newest records as JSON texts. */
export async function newestDocuments(
  store: Store,
  collection: string,
  count: number,
): Promise<string[]> {
  const rows = await store.rows({
    columns: ['document'],
    rows: sql`SELECT document FROM records
      WHERE organisation_id = ${store.organisationId} AND collection = ${collection}
      ORDER BY ordinal DESC LIMIT ${sql.raw(String(count))}`,
  })
  return rows.map(({ document }) => String(document))
}
