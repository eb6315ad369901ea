import { sql } from 'drizzle-orm/sql'
import { requireUnrestricted } from '../../access/credential.ts'
import type { Author } from '../../model/author.ts'
import { integer, nullable, optional, type Selected, text } from '../columns.ts'
import { lastChangeOf, ofOrganisation, ofRecord } from '../fragments.ts'
import type { Store } from '../store.ts'
import { depthOf } from '../write/delete.ts'
import { authorColumns, versionDaysColumn } from './changes.ts'

/** Records that one operation deleted, and that can be restored together. */
export type Deletion = {
  at: string
  author: Author | null
  /** The name of the author's key, or null if the key was deleted. */
  key: string | null
  /** The record that the others depend on. */
  collection: string
  id: string
  /** The id of the person whom a merged person became part of. */
  mergedInto: string | undefined
  /** The number of deleted records by collection, this one included. */
  counts: ReadonlyMap<string, number>
}

// One deletion has at most 1,001 records, so every page has at least one of them completely.
const maxRead = 2000

const maxDeletions = 50

const columnsOf = (store: Store) => ({
  version: integer(sql`deleted.version`),
  deletedAt: text(sql`deleted.at`),
  collection: text(sql`deleted.collection`),
  id: text(sql`deleted.id`),
  at: nullable(text(sql`history.at`)),
  ...authorColumns(store),
  mergedInto: optional(text(sql`merged_into`)),
})

type DeletedRecord = Selected<ReturnType<typeof columnsOf>>

/**
 * A page of the deletions that can be restored, newest first, the cursor of the next page,
 * and for how many days records can be restored. Reads at most 6,000 rows. Throws 403 for
 * credentials that see only some records.
 */
export async function listDeletions(
  store: Store,
  before?: number,
): Promise<{ deletions: Deletion[]; next: number | undefined; versionDays: number }> {
  const deleted = { collection: sql`deleted.collection`, id: sql`deleted.id` }
  const { head, rows } = await store.select({
    head: { versionDays: versionDaysColumn(store) },
    rows: {
      columns: columnsOf(store),
      from: sql`FROM (
          SELECT version, at, collection, id FROM deletions
          WHERE ${ofOrganisation(store)} AND audience <> 'public'
            ${before === undefined ? sql`` : sql`AND version < ${before}`}
          ORDER BY version DESC LIMIT ${sql.raw(String(maxRead))}
        ) AS deleted
        LEFT JOIN history ON ${ofRecord(store, deleted, 'history')}
          AND history.replaced IS NOT NULL AND history.version = ${lastChangeOf(store, deleted)}
        ORDER BY deleted.version DESC`,
    },
  })
  requireUnrestricted(store.policy, '$restore')
  const operations = Map.groupBy(rows, ({ at, author }) => JSON.stringify([at, author]))
  const isCut = rows.length === maxRead
  const complete = [...operations.values()].slice(0, isCut && operations.size > 1 ? -1 : undefined)
  const page = complete.slice(0, maxDeletions)
  const { versionDays } = head
  const last = page.at(-1)?.at(-1)
  const oldest = new Date(Date.now() - versionDays * 86_400_000).toISOString()
  const hasMore = isCut || page.length < complete.length
  return {
    deletions: page.flatMap(toDeletion),
    next: hasMore && last && last.deletedAt > oldest ? last.version : undefined,
    versionDays,
  }
}

function toDeletion(records: readonly DeletedRecord[]): Deletion[] {
  const [first] = records.toSorted(
    (one, other) =>
      Number(other.mergedInto !== undefined) - Number(one.mergedInto !== undefined) ||
      depthOf(one.collection) - depthOf(other.collection) ||
      one.version - other.version,
  )
  // Erased people and records without stored versions have no time.
  if (!first?.at) return []
  const { at, author, key, collection, id, mergedInto } = first
  const byCollection = Map.groupBy(records, (record) => record.collection)
  const counts = new Map([...byCollection].map(([name, group]) => [name, group.length]))
  return [{ at, author, key, collection, id, mergedInto, counts }]
}

/** For how many days an organisation's replaced and deleted documents are stored. */
export async function readVersionDays(store: Store): Promise<number> {
  return (await store.select({ head: { days: versionDaysColumn(store) } })).head.days
}
