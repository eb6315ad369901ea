import { sql } from 'drizzle-orm/sql'
import type { Author } from '../../model/author.ts'
import { enumeration, flag, integer, json, nullable, optional, text } from '../columns.ts'
import { documentOf, keyNameOf, ofCollection, ofRecord, organisationColumn } from '../fragments.ts'
import type { Store } from '../store.ts'

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
  const record = { collection, id }
  const isMerged = sql`merged_id IS NOT NULL`
  const merged = { collection, id: sql`merged_id` }
  const { head, rows } = await store.select({
    head: {
      current: optional(text(documentOf(store, collection, id))),
      versionDays: integer(organisationColumn(store, 'version_days')),
    },
    rows: {
      columns: {
        version: integer(sql`version`),
        at: text(sql`at`),
        change: enumeration<RecordChange['change']>(sql`change`),
        author: nullable(json<Author>(sql`author`)),
        key: nullable(text(keyNameOf(store, sql`author`))),
        fields: json<string[]>(sql`fields`),
        replaced: optional(text(sql`replaced`)),
        mergedId: optional(text(sql`merged_id`)),
        mergedIsLast: flag(sql`${isMerged}
          AND NOT EXISTS (SELECT 1 FROM records WHERE ${ofRecord(store, merged)})
          AND change_of_record.version = (SELECT max(history.version) FROM history WHERE ${ofRecord(store, merged, 'history')})`),
      },
      from: sql`FROM (
          SELECT version, at, change, author, fields, replaced, NULL AS merged_id FROM history
          WHERE ${ofRecord(store, record, 'history')}
          UNION ALL
          SELECT first_version, created, 'created', created_by, '[]', NULL, NULL FROM records
          WHERE ${ofRecord(store, record)}
          UNION ALL
          SELECT * FROM (
            SELECT version, at, 'merged', author, '[]', replaced, id FROM history
            WHERE ${ofCollection(store, collection, 'history')} AND merged_into = ${id}
            LIMIT 50
          )
        ) AS change_of_record ORDER BY change_of_record.version DESC`,
    },
    collection,
  })
  const changes = rows.map(({ replaced, mergedId, mergedIsLast, ...change }) => ({
    ...change,
    before: mergedId === undefined ? replaced : undefined,
    merged:
      mergedId === undefined
        ? undefined
        : { id: mergedId, document: replaced, isLast: mergedIsLast },
  }))
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
