import { type SQL, sql } from 'drizzle-orm/sql'
import { collectionNames } from '../../model/collection.ts'
import type { Row } from '../statement.ts'
import type { Store } from '../store.ts'
import type { AffectedCursor, StoredImport } from './stored-imports.ts'

/**
 * A record that an import created or updated. `state` is its state since: it is as the import left
 * it, was changed or deleted since, or the undo of the import reverted it.
 */
export type AffectedRecord = {
  collection: string
  id: string
  change: 'created' | 'updated'
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
 * stored. A page can be empty although `next` is set. Needs the `write` permission.
 */
export async function readAffected(
  store: Store,
  of: StoredImport,
  cursor: AffectedCursor = firstAffected,
): Promise<AffectedPage> {
  const read = (scanned: SQL, affected: SQL) => readPage(store, scanned, affected)
  if (cursor.collection === null) {
    const { rows, last } = await read(selectScanned(store, of, cursor), selectUpdated(store, of))
    const isEnd = last === undefined
    const [first = ''] = createdOrder
    return {
      records: rows.map(parseAffected),
      next: isEnd
        ? { collection: first, ordinal: 0 }
        : { collection: null, at: String(last.at), version: Number(last.version) },
    }
  }
  const { collection } = cursor
  const [before = 0, after = Number.MAX_SAFE_INTEGER] = of.ordinals?.[collection] ?? [0, 0]
  const next = createdOrder[createdOrder.indexOf(collection) + 1]
  const nextCollection = next === undefined ? undefined : { collection: next, ordinal: 0 }
  if (before >= after) return { records: [], next: nextCollection }
  const ordinal = Math.max(before, cursor.ordinal)
  const { rows, last } = await read(
    sql`SELECT ordinal, '' AS at, version, id, document, first_version, created_by, collection
      FROM records WHERE organisation_id = ${store.organisationId} AND collection = ${collection}
        AND ordinal > ${ordinal} AND ordinal <= ${after} ORDER BY ordinal LIMIT ${maxScanned}`,
    selectCreated(store, of),
  )
  return {
    records: rows.map(parseAffected),
    next: last === undefined ? nextCollection : { collection, ordinal: Number(last.ordinal) },
  }
}

/** Reads the rows of a page, and the last row that it scanned; undefined at the end. */
async function readPage(store: Store, scanned: SQL, affected: SQL) {
  const { head, rows } = await store.read(
    { last: sql`(SELECT json_array(count(*), max(ordinal), max(at), max(version)) FROM scanned)` },
    {
      with: sql`WITH scanned AS MATERIALIZED (${scanned})`,
      columns: ['collection', 'id', 'change', 'state', 'version', 'document', 'previous'],
      rows: affected,
    },
    { permissions: ['write'] },
  )
  const [count, ordinal, at, version]: (number | string)[] = JSON.parse(String(head.last))
  return { rows, last: count === maxScanned ? { ordinal, at, version } : undefined }
}

const selectScanned = (
  { organisationId }: Store,
  { at, finished }: StoredImport,
  cursor: { at: string; version: number },
) => sql`SELECT collection, id, version, at, author, replaced, 0 AS ordinal FROM history
  WHERE organisation_id = ${organisationId} AND replaced IS NOT NULL
    AND at >= ${cursor.at > at ? cursor.at : at} AND at <= ${finished ?? '9999'}
    AND (at, version) > (${cursor.at}, ${cursor.version})
  ORDER BY at, version LIMIT ${maxScanned}`

const ofImport = (author: SQL, id: number) => sql`${author} ->> '$.import' = ${id}`

/** Returns SQL for the history of the record in `scanned`, under a condition. */
const historyOf = ({ organisationId }: Store, condition: SQL) => sql`
  SELECT 1 FROM history AS entry
  WHERE entry.organisation_id = ${organisationId} AND entry.collection = scanned.collection
    AND entry.id = scanned.id AND ${condition}`

/** Returns SQL that tests whether somebody else changed the record after a version. Changes of derived values do not count. */
const isChangedAfter = (store: Store, id: number, version: SQL) =>
  sql`EXISTS (${historyOf(
    store,
    sql`entry.version > ${version} AND entry.fields <> '[]' AND NOT coalesce(${ofImport(sql`entry.author`, id)}, 0)`,
  )})`

/** Returns SQL for the first change that an import made to each updated record. */
const selectUpdated = (store: Store, { id }: StoredImport) => sql`
  SELECT scanned.collection, scanned.id, 'updated', CASE
      WHEN ${isUndone(store, id)} THEN 'undone'
      WHEN records.version IS NULL THEN 'deleted'
      WHEN first_version > scanned.version
        OR ${isChangedAfter(store, id, sql`scanned.version`)} THEN 'changed'
      ELSE 'unchanged' END,
    records.version, coalesce(records.document, replaced), replaced
  FROM scanned LEFT JOIN records ON records.collection = scanned.collection
    AND records.id = scanned.id AND records.organisation_id = ${store.organisationId}
  WHERE ${ofImport(sql`author`, id)} AND author ->> '$.through' IS NOT 'undo'
    AND NOT coalesce(${ofImport(sql`created_by`, id)}, 0)
    AND NOT EXISTS (${historyOf(
      store,
      sql`entry.version < scanned.version AND ${ofImport(sql`entry.author`, id)}`,
    )})`

const isUndone = (store: Store, id: number) =>
  sql`EXISTS (${historyOf(
    store,
    sql`entry.version > scanned.version AND ${ofImport(sql`entry.author`, id)}
    AND entry.author ->> '$.through' = 'undo'`,
  )})`

const selectCreated = (store: Store, { id }: StoredImport) => sql`
  SELECT collection, scanned.id, 'created',
    iif(${isChangedAfter(store, id, sql`scanned.first_version`)}, 'changed', 'unchanged'),
    version, document, NULL
  FROM scanned WHERE ${ofImport(sql`created_by`, id)}`

const parseAffected = (row: Row): AffectedRecord => ({
  ...{ collection: String(row.collection), id: String(row.id) },
  change: row.change === 'created' ? 'created' : 'updated',
  state: row.state as AffectedRecord['state'],
  version: row.version === null || row.version === undefined ? null : Number(row.version),
  document: String(row.document),
  previous: row.previous === null || row.previous === undefined ? null : String(row.previous),
})
