import { sql } from 'drizzle-orm/sql'
import type { Author } from '../../model/author.ts'
import { enumeration, flag, integer, json, optional, text } from '../columns.ts'
import { documentOf, lastChangeOf, ofCollection, ofRecord } from '../fragments.ts'
import type { Store } from '../store.ts'
import { changeColumns, selectChanges, versionDaysColumn } from './changes.ts'

/** A change of a record with the documents before and after it, as JSON text without redaction. */
export type RecordChange = {
  version: number
  at: string
  change: 'created' | 'updated' | 'deleted' | 'merged'
  author: Author | null
  /** The name of the author's key, or null if the key was deleted. */
  key: string | null
  /** The names of the changed fields. */
  fields: string[]
  /** Undefined if the document is no longer stored. */
  before: string | undefined
  after: string | undefined
  /** The person who was merged into this one; `document` is theirs while it can be restored. */
  merged: MergedPerson | undefined
}

type MergedPerson = {
  id: string
  document: string | undefined
  /** Whether this was the last change of the person, so that nobody has restored them since. */
  isLast: boolean
}

type StoredChange = Omit<RecordChange, 'after'>

/**
 * The last 50 changes of a record, newest first, even if it was deleted, with its current
 * document and for how many days documents are stored. Reads at most four rows for each change and
 * merge.
 */
export async function readRecordChanges(
  store: Store,
  collection: string,
  id: string,
): Promise<{ current: string | undefined; changes: RecordChange[]; versionDays: number }> {
  const merged = { collection, id: sql`change_of_record.id` }
  const { head, rows } = await store.select({
    head: {
      current: optional(text(documentOf(store, collection, id))),
      versionDays: versionDaysColumn(store),
    },
    rows: {
      columns: {
        ...changeColumns(store),
        change: enumeration<RecordChange['change']>(sql`change`),
        id: text(sql`id`),
        version: integer(sql`version`),
        fields: json<string[]>(sql`fields`),
        replaced: optional(text(sql`replaced`)),
        isLast: flag(sql`change = 'merged'
          AND NOT EXISTS (SELECT 1 FROM records WHERE ${ofRecord(store, merged)})
          AND change_of_record.version = ${lastChangeOf(store, merged)}`),
      },
      from: sql`FROM (
          ${selectChanges(store, { collection, id })}
          UNION ALL
          SELECT * FROM (
            SELECT id, version, at, 'merged', author, '[]', replaced, NULL FROM history
            WHERE ${ofCollection(store, collection, 'history')} AND merged_into = ${id}
            LIMIT 50
          )
        ) AS change_of_record ORDER BY change_of_record.version DESC`,
    },
    collection,
  })
  const changes = rows.map(({ id, replaced, isLast, ...change }) =>
    change.change === 'merged'
      ? { ...change, before: undefined, merged: { id, document: replaced, isLast } }
      : { ...change, before: replaced, merged: undefined },
  )
  const { current, versionDays } = head
  return { current, changes: addDocumentsAfter(joinMerges(changes), current), versionDays }
}

/** Joins a merge with the change that it made to the person who stays: both have the same time. */
function joinMerges(changes: readonly StoredChange[]): StoredChange[] {
  const merges = new Map(
    changes.filter(({ merged }) => merged).map(({ at, merged }) => [at, merged]),
  )
  const updated = new Set(changes.filter(({ merged }) => !merged).map(({ at }) => at))
  return changes
    .filter(({ at, merged }) => !merged || !updated.has(at))
    .map((change) =>
      merges.has(change.at) && change.change === 'updated'
        ? { ...change, change: 'merged', merged: merges.get(change.at) }
        : change,
    )
}

/** Adds the document after each change: the document before the next one, or the current one. */
function addDocumentsAfter(
  changes: readonly StoredChange[],
  current: string | undefined,
): RecordChange[] {
  let after = current
  return changes.map((change) => {
    const withDocument = { ...change, after }
    if (change.change !== 'merged' || change.fields.length > 0) after = change.before
    return withDocument
  })
}
