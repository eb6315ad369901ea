import { sql } from 'drizzle-orm/sql'
import { json, type Selected } from '../columns.ts'
import type { Store } from '../store.ts'
import { changeColumns, selectChanges } from './changes.ts'

const columnsOf = (store: Store) => ({
  ...changeColumns(store),
  /** The names of the changed fields. */
  fields: json<string[]>(sql`fields`),
})

/** Reads the last 50 changes of a record, newest first, even if it was deleted. */
export async function listHistory(
  store: Store,
  collection: string,
  id: string,
): Promise<Selected<ReturnType<typeof columnsOf>>[]> {
  const { rows } = await store.select({
    rows: {
      columns: columnsOf(store),
      from: sql`FROM (${selectChanges(store, { collection, id })} ORDER BY version DESC)`,
    },
  })
  return rows
}
