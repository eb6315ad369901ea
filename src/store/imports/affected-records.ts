import { type SQL, sql } from 'drizzle-orm/sql'
import { collectionNames } from '../../model/collection.ts'
import { enumeration, integer, json, nullable, type Rows, text } from '../columns.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'
import type { AffectedCursor, StoredImport } from './list-imports.ts'

/**
 * A record that an import created or updated, or a bulk deletion deleted. `state` is its state since: it is as the import
 * left it, was changed or deleted since, or the undo of the import reverted it.
 */
export type AffectedRecord = {
  collection: string
  id: string
  change: 'created' | 'updated' | 'deleted'
  state: 'unchanged' | 'changed' | 'deleted' | 'undone'
  /** The current version; null for a deleted record. */
  version: number | null
  /** The current document; for a deleted record the one before the import. */
  document: string
  /** The document before the import; null for a created record. */
  previous: string | null
}

/** A page of affected records. Without `next`, it is the last. */
type AffectedPage = { records: AffectedRecord[]; next: AffectedCursor | undefined }

/** The maximum number of history entries or records that a page reads, most of which the import made. */
const maxScanned = 250

/** The collections in which an import may have created records, with referring records before the referenced ones. */
const createdOrder = collectionNames.toReversed()

export const firstAffected: AffectedCursor = { collection: null, at: '', version: 0 }

/**
 * Reads a page of the records that an import created or updated, while their previous versions are
 * stored. The pages have the updated records of all collections first, from the history (`collection` of the cursor is
 * null), then the created ones of one collection after another, by the ordinals that the import has stored. A page can
 * be empty although `next` is set. Needs the `write` permission.
 */
export async function readAffected(
  store: Store,
  storedImport: StoredImport,
  cursor: AffectedCursor = firstAffected,
): Promise<AffectedPage> {
  if (cursor.collection === null) {
    const { records, last } = await readPage(
      store,
      selectScanned(store, storedImport, cursor),
      updatedRecords(store, storedImport),
    )
    const [first = ''] = createdOrder
    return {
      records,
      next: last
        ? { collection: null, at: last.at, version: last.version }
        : { collection: first, ordinal: 0 },
    }
  }
  const { collection } = cursor
  const [before = 0, after = Number.MAX_SAFE_INTEGER] = storedImport.ordinals?.[collection] ?? [
    0, 0,
  ]
  const next = createdOrder[createdOrder.indexOf(collection) + 1]
  const nextCollection = next === undefined ? undefined : { collection: next, ordinal: 0 }
  if (before >= after) return { records: [], next: nextCollection }
  const ordinal = Math.max(before, cursor.ordinal)
  const { records, last } = await readPage(
    store,
    sql`SELECT ordinal, '' AS at, version, id, document, first_version, created_by, collection
      FROM records WHERE ${ofCollection(store, collection)}
        AND ordinal > ${ordinal} AND ordinal <= ${after} ORDER BY ordinal LIMIT ${maxScanned}`,
    createdRecords(store, storedImport),
  )
  return { records, next: last ? { collection, ordinal: last.ordinal } : nextCollection }
}

/** Reads the records of a page, and the last row that it scanned; undefined at the end. */
async function readPage(store: Store, scanned: SQL, affected: AffectedRows) {
  const last = sql`(SELECT json_array(count(*), max(ordinal), max(at), max(version)) FROM scanned)`
  const { head, rows } = await store.select({
    head: { last: json<[number, number, string, number]>(last) },
    rows: { with: sql`WITH scanned AS MATERIALIZED (${scanned})`, ...affected },
    permissions: ['write'],
  })
  const [count, ordinal, at, version] = head.last
  return { records: rows, last: count === maxScanned ? { ordinal, at, version } : undefined }
}

/** How to read affected records from `scanned`. */
type AffectedRows = Rows<ReturnType<typeof columnsOf>>

const columnsOf = (
  change: SQL,
  {
    state,
    version,
    document,
    previous,
  }: Record<'state' | 'version' | 'document' | 'previous', SQL>,
) => ({
  collection: text(sql`scanned.collection`),
  id: text(sql`scanned.id`),
  change: enumeration<AffectedRecord['change']>(change),
  state: enumeration<AffectedRecord['state']>(state),
  version: nullable(integer(version)),
  document: text(document),
  previous: nullable(text(previous)),
})

const selectScanned = (
  store: Store,
  { at, finished }: StoredImport,
  cursor: { at: string; version: number },
) => sql`SELECT collection, id, version, at, author, replaced, 0 AS ordinal FROM history
  WHERE ${ofOrganisation(store)} AND replaced IS NOT NULL
    AND at >= ${cursor.at > at ? cursor.at : at} AND at <= ${finished ?? '9999'}
    AND (at, version) > (${cursor.at}, ${cursor.version})
  ORDER BY at, version LIMIT ${maxScanned}`

const ofImport = (author: SQL, id: number) => sql`${author} ->> '$.import' = ${id}`

/** SQL for the history of the record in `scanned`, under a condition. */
const historyOf = (store: Store, condition: SQL) => sql`
  SELECT 1 FROM history AS entry
  WHERE ${ofOrganisation(store, 'entry')} AND entry.collection = scanned.collection
    AND entry.id = scanned.id AND ${condition}`

/**
 * SQL that tests whether somebody else changed the record after a version. Changes of derived values
 * do not count, and neither do changes of another import that its undo has reverted.
 */
const isChangedAfter = (store: Store, id: number, version: SQL) =>
  sql`EXISTS (${historyOf(
    store,
    sql`entry.version > ${version} AND entry.fields <> '[]' AND NOT coalesce(${ofImport(sql`entry.author`, id)}, 0)
      AND NOT EXISTS (
        SELECT 1 FROM history AS undo
        WHERE undo.organisation_id = entry.organisation_id AND undo.collection = entry.collection
          AND undo.id = entry.id AND undo.version >= entry.version
          AND undo.author ->> '$.through' = 'undo'
          AND undo.author ->> '$.import' = entry.author ->> '$.import'
      )`,
  )})`

/** The first change that an import made to each updated or deleted record. */
const updatedRecords = (store: Store, { id }: StoredImport): AffectedRows => ({
  columns: columnsOf(sql`iif(${isDeleted(store, id)}, 'deleted', 'updated')`, {
    state: sql`CASE
      WHEN ${isUndone(store, id)} THEN 'undone'
      WHEN ${isDeleted(store, id)} THEN iif(records.version IS NULL AND NOT ${hasLaterChange(store, id)}, 'unchanged', 'changed')
      WHEN records.version IS NULL THEN 'deleted'
      WHEN first_version > scanned.version
        OR ${isChangedAfter(store, id, sql`scanned.version`)} THEN 'changed'
      ELSE 'unchanged' END`,
    version: sql`records.version`,
    document: sql`coalesce(records.document, replaced)`,
    previous: sql`replaced`,
  }),
  from: sql`FROM scanned LEFT JOIN records ON records.collection = scanned.collection
    AND records.id = scanned.id AND ${ofOrganisation(store, 'records')}
  WHERE ${ofImport(sql`author`, id)} AND author ->> '$.through' IS NOT 'undo'
    AND NOT coalesce(${ofImport(sql`created_by`, id)} AND created_by ->> '$.through' IS NOT 'undo', 0)
    AND NOT EXISTS (${historyOf(
      store,
      sql`entry.version < scanned.version AND ${ofImport(sql`entry.author`, id)}`,
    )})`,
})

/** A restored record is a new one, whose author is that of the undo. */
const isUndone = (store: Store, id: number) =>
  sql`(coalesce(${ofImport(sql`records.created_by`, id)}, 0) OR EXISTS (${historyOf(
    store,
    sql`entry.version > scanned.version AND ${ofImport(sql`entry.author`, id)}
    AND entry.author ->> '$.through' = 'undo'`,
  )}))`

/** SQL that tests whether an import deleted the record in `scanned`, perhaps after it changed it. */
const isDeleted = (store: Store, id: number) =>
  sql`EXISTS (${historyOf(
    store,
    sql`entry.version >= scanned.version AND entry.change = 'deleted' AND ${ofImport(sql`entry.author`, id)}
      AND entry.author ->> '$.through' IS NOT 'undo'`,
  )})`

const hasLaterChange = (store: Store, id: number) =>
  sql`EXISTS (${historyOf(
    store,
    sql`entry.version > scanned.version AND NOT coalesce(${ofImport(sql`entry.author`, id)}, 0)`,
  )})`

const createdRecords = (store: Store, { id }: StoredImport): AffectedRows => ({
  columns: columnsOf(sql`'created'`, {
    state: sql`iif(${isChangedAfter(store, id, sql`scanned.first_version`)}, 'changed', 'unchanged')`,
    version: sql`version`,
    document: sql`document`,
    previous: sql`NULL`,
  }),
  from: sql`FROM scanned WHERE ${ofImport(sql`created_by`, id)}`,
})
