import { type SQL, sql } from 'drizzle-orm/sql'
import type { Author } from '../../model/author.ts'
import { enumeration, integer, json, nullable, text } from '../columns.ts'
import { keyNameOf, ofRecord, organisationColumn } from '../fragments.ts'
import type { Store } from '../store.ts'

/*
 * The table `history` has a row for each update and deletion of a record, with the document before it.
 * A creation has none: the record itself has its version, time and author.
 */

/** Who made a change. */
export const authorColumns = (store: Store) => ({
  author: nullable(json<Author>(sql`author`)),
  /** The name of the author's key, or null if the key was deleted. */
  key: nullable(text(keyNameOf(store, sql`author`))),
})

/** The columns of a change. */
export const changeColumns = (store: Store) => ({
  at: text(sql`at`),
  change: enumeration<'created' | 'updated' | 'deleted'>(sql`change`),
  ...authorColumns(store),
})

/** SQL for the changes of a record that may be deleted, or of the records of `inHistory`, and its creation while it exists. */
export const selectChanges = (
  store: Store,
  record: { collection: string; id: string },
  inHistory: SQL = ofRecord(store, record, 'history'),
): SQL => sql`
  SELECT id, version, at, change, author, fields, replaced, attached FROM history
  WHERE ${inHistory}
  UNION ALL
  SELECT id, first_version, created, 'created', created_by, '[]', NULL, NULL FROM records
  WHERE ${ofRecord(store, record)}`

/** For how many days an organisation's replaced and deleted documents are stored. */
export const versionDaysColumn = (store: Store) =>
  integer(organisationColumn(store, 'version_days'))
