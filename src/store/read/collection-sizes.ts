import { sql } from 'drizzle-orm/sql'
import { integer, text } from '../columns.ts'
import { ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'

/**
 * A collection's record count, the arrival time of its newest record and the time of its last
 * import, or ''.
 */
type CollectionSize = {
  collection: string
  total: number
  newest: string
  imported: string
}

/** Reads the size of each collection, in the given order. */
export async function readCollectionSizes(
  store: Store,
  collections: readonly string[],
): Promise<CollectionSize[]> {
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
          SELECT at, collection, edited FROM imports WHERE ${ofOrganisation(store, 'imports')}
          ORDER BY id DESC LIMIT 100
        ) AS latest WHERE latest.collection = item.value AND latest.edited IS NULL), '')`),
      },
      from: sql`FROM json_each(${JSON.stringify(collections)}) AS item`,
    },
  })
  return rows
}
