import { areas, derivedKeys } from './areas.ts'

/*
 * Looks up the areas of postcodes (ward, constituency and so on) in the directory. Each load of the directory is a
 * generation of rows; the edition with the status `serving` is the one to use. Postcodes with the same areas share a
 * row of `combinations`, which has the id of each area.
 */

/** The names and codes of a postcode's areas, by key. Missing areas have no key. */
export type AreaValues = Readonly<Record<string, string>>

/** The areas of postcodes by lookup key, and the id of the directory's edition. `edition` is undefined if no edition is loaded. */
export type LookupResult = {
  edition: string | undefined
  byPostcode: ReadonlyMap<string, AreaValues>
  rowsRead: number
}

/** A postcode as the directory has it: in upper case, letters and digits only. */
export const toLookupKey = (postcode: string) =>
  postcode
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

const columns = areas.map(
  ({ key, column }) => `${column}.name AS "${key}", ${column}.code AS "${key}Code"`,
)

const joins = areas.map(
  ({ column }) => `
  LEFT JOIN areas AS ${column}
    ON ${column}.generation = editions.generation AND ${column}.id = combinations.${column}`,
)

const statement = `
SELECT editions.id AS edition, postcodes.postcode, ${columns.join(', ')}
FROM editions
  LEFT JOIN json_each(?) AS requested
  LEFT JOIN postcodes
    ON postcodes.generation = editions.generation AND postcodes.postcode = requested.value
  LEFT JOIN combinations
    ON combinations.generation = editions.generation AND combinations.id = postcodes.combination
  ${joins.join('')}
WHERE editions.status = 'serving'`

type Row = { edition: string; postcode: string | null } & Record<string, string | null>

/** Looks up postcodes in one statement that reads about 14 rows for each. Omits unknown postcodes. */
export async function lookUpAreas(
  geography: D1Database,
  postcodes: Iterable<string>,
): Promise<LookupResult> {
  const keys = new Set([...postcodes].map(toLookupKey))
  const { results, meta } = await geography
    .prepare(statement)
    .bind(JSON.stringify([...keys]))
    .all<Row>()
  const byPostcode = new Map<string, AreaValues>()
  for (const row of results) if (row.postcode) byPostcode.set(row.postcode, toAreaValues(row))
  return { edition: results[0]?.edition, byPostcode, rowsRead: meta.rows_read }
}

function toAreaValues(row: Row): AreaValues {
  const values: Record<string, string> = {}
  for (const { key } of derivedKeys) {
    const value = row[key]
    if (value) values[key] = value
  }
  return values
}
