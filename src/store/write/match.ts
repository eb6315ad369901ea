import { sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
import { termId } from '../bitmap/bits.ts'
import { integer, nullable, text } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import type { StoredRecord } from '../read/single.ts'
import type { Store } from '../store.ts'

/** A value that identifies a record: at most 256 bytes, so that the index stores it completely. */
export type MatchValue = string | number

/** The stored records with a value: their number and the first ids, and the record if it is the only one. */
export type Match = { count: number; ids: string[]; record: StoredRecord | undefined }

type MatchQuery = {
  collection: string
  permissions: readonly Permission[]
  field: string
  values: readonly MatchValue[]
  /** Ids to look up as well. */
  ids: readonly string[]
}

const maxIds = 5

/**
 * Reads the stored records with each value of a field, unredacted, and which of `ids` exist. Reads a
 * bounded number of rows for each value, in a collection of any size. The matches have the
 * order of the values.
 */
export async function readMatches(
  store: Store,
  { collection, permissions, field, values, ids }: MatchQuery,
): Promise<{ matches: Match[]; existingIds: ReadonlySet<string> }> {
  const scope = { organisationId: store.organisationId, collection }
  const inCollection = ofCollection(store, collection)
  const { rows } = await store.select({
    rows: {
      columns: {
        number: nullable(integer(sql`number`)),
        count: integer(sql`count`),
        id: text(sql`id`),
        document: nullable(text(sql`document`)),
        version: integer(sql`version`),
        changed: text(sql`changed`),
      },
      from: sql`FROM (
        SELECT item.key AS number, terms.count, records.id,
          iif(terms.count = 1, document, NULL) AS document, version, changed
        FROM json_each(${JSON.stringify(values)}) AS item
        CROSS JOIN terms ON terms.id = ${termId(scope, field, sql`item.value`)}
        CROSS JOIN records ON ${inCollection} AND records.ordinal IN (
          SELECT ordinal FROM term_ordinals WHERE term_id = terms.id LIMIT ${maxIds}
        )
        UNION ALL
        SELECT NULL, NULL, id, NULL, NULL, NULL FROM records
        WHERE ${inCollection} AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
      )`,
    },
    permissions,
    collection,
    policy: store.policy,
  })
  const matches = values.map((): Match => ({ count: 0, ids: [], record: undefined }))
  const existingIds = new Set<string>()
  for (const { number, count, id, document, version, changed } of rows) {
    const match = number === null ? undefined : matches[number]
    if (!match) {
      existingIds.add(id)
      continue
    }
    match.count = count
    match.ids.push(id)
    if (document !== null) match.record = { document, version, changed }
  }
  return { matches, existingIds }
}
