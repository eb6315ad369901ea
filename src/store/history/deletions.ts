import { sql } from 'drizzle-orm/sql'
import { requireUnrestricted } from '../../access/credential.ts'
import type { Author } from '../../model/author.ts'
import { textOrUndefined } from '../read/single.ts'
import type { Row } from '../statement.ts'
import type { Store } from '../store.ts'
import { depthOf } from '../write/delete.ts'

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

/**
 * Returns a page of the deletions that can be restored, newest first, the cursor of the next page,
 * and for how many days records can be restored. Reads at most 6,000 rows. Throws 403 for
 * credentials that see only some records.
 */
export async function listDeletions(
  store: Store,
  before?: number,
): Promise<{ deletions: Deletion[]; next: number | undefined; versionDays: number }> {
  const { organisationId } = store
  const { head, rows } = await store.read(
    { days: sql`(SELECT version_days FROM organisations WHERE id = ${organisationId})` },
    {
      columns: ['version', 'deleted_at', 'collection', 'id', 'at', 'author', 'merged_into', 'key'],
      rows: sql`SELECT deleted.version, deleted.at, deleted.collection, deleted.id, history.at,
          author, merged_into, (
            SELECT name || ' (' || prefix || '…)' FROM api_keys
            WHERE api_keys.id = author ->> '$.id' AND organisation_id = ${organisationId}
          )
        FROM (
          SELECT version, at, collection, id FROM deletions
          WHERE organisation_id = ${organisationId} AND audience <> 'public'
            ${before === undefined ? sql`` : sql`AND version < ${before}`}
          ORDER BY version DESC LIMIT ${sql.raw(String(maxRead))}
        ) AS deleted
        LEFT JOIN history ON history.organisation_id = ${organisationId}
          AND history.collection = deleted.collection AND history.id = deleted.id
          AND history.replaced IS NOT NULL AND history.version = (
            SELECT max(version) FROM history WHERE organisation_id = ${organisationId}
              AND collection = deleted.collection AND id = deleted.id
          )
        ORDER BY deleted.version DESC`,
    },
  )
  requireUnrestricted(store.policy, '$restore')
  const operations = Map.groupBy(rows, ({ at, author }) => JSON.stringify([at, author]))
  const isCut = rows.length === maxRead
  const complete = [...operations.values()].slice(0, isCut && operations.size > 1 ? -1 : undefined)
  const page = complete.slice(0, maxDeletions)
  const versionDays = Number(head.days)
  const last = page.at(-1)?.at(-1)
  const oldest = new Date(Date.now() - versionDays * 86_400_000).toISOString()
  const hasMore = (isCut || page.length < complete.length) && String(last?.deleted_at) > oldest
  return {
    // Erased people have no time, nor do records without stored versions.
    deletions: page.flatMap((records) => (records[0]?.at ? [toDeletion(records)] : [])),
    next: hasMore ? Number(last?.version) : undefined,
    versionDays,
  }
}

function toDeletion(records: readonly Row[]): Deletion {
  const [first] = records.toSorted(
    (one, other) =>
      Number(other.merged_into !== null) - Number(one.merged_into !== null) ||
      depthOf(String(one.collection)) - depthOf(String(other.collection)) ||
      Number(one.version) - Number(other.version),
  )
  const byCollection = Map.groupBy(records, ({ collection }) => String(collection))
  return {
    at: String(first?.at),
    author: first?.author ? JSON.parse(String(first.author)) : null,
    key: textOrUndefined(first?.key) ?? null,
    ...{ collection: String(first?.collection), id: String(first?.id) },
    mergedInto: textOrUndefined(first?.merged_into),
    counts: new Map([...byCollection].map(([name, group]) => [name, group.length])),
  }
}

/** Returns for how many days an organisation's replaced and deleted documents are stored. */
export async function readVersionDays(store: Store): Promise<number> {
  const { organisationId } = store
  const days = sql`(SELECT version_days FROM organisations WHERE id = ${organisationId})`
  return Number((await store.read({ days })).head.days)
}
