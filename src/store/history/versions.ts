import { sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
import type { Author } from '../../model/author.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { enumeration, flag, integer, nullable, optional, text } from '../columns.ts'
import { documentOf, ofCollection, ofOrganisation, ofRecord } from '../fragments.ts'
import { schemaColumn } from '../read/single.ts'
import { samePerson } from '../same-person.ts'
import type { Store } from '../store.ts'
import { authorColumns, selectChanges } from './changes.ts'

// `attached` is JSON with what belonged to a deleted record, such as a booking's sign-up (see ../write/attached.ts). The
// sign-up has a day in `deleteAfter`; after that day, the cron replaces it with null. Without a sign-up, `signUp` is absent.
const lacksSignUp = sql`json_type(attached, '$.signUp') IS 'null'`

/** A previous version of a record: its number and time, and the change that replaced it. */
type PreviousVersion = {
  /** The id of the record: that of a merged person differs from the one in the query. */
  id: string
  version: number
  at: string
  change: 'updated' | 'deleted'
  replacedAt: string
  author: Author | null
  /** The name of the author's key, or null if the key was deleted. */
  key: string | null
  /** JSON text, not redacted. */
  document: string
  /** Whether the record had a sign-up when it was deleted, and its data is no longer stored. */
  lacksSignUp: boolean
}

type VersionsQuery = { collection: string; id: string; kind?: Kind | undefined }

/** The permissions that a read of versions needs, and whether it includes people who were merged into the person. */
export type VersionsOptions = { permissions?: readonly Permission[]; withMerged?: boolean }

/**
 * The stored previous versions of a record, newest first, even if it was deleted, with its
 * current document and the schema of people. Nothing is redacted.
 */
export async function readVersions(
  store: Store,
  { collection, id, kind }: VersionsQuery,
  { permissions = ['read'], withMerged = false }: VersionsOptions = {},
): Promise<{
  current: string | undefined
  /** The version of the current document. */
  currentVersion: number | undefined
  schema: string | undefined
  versions: PreviousVersion[]
}> {
  const { organisationId } = store
  const record = { collection, id }
  // `samePerson` is a WITH clause that defines the table `person`: the person and those who were merged into them.
  const inHistory =
    withMerged && kind
      ? sql`${ofCollection(store, collection, 'history')}
          AND id IN (${samePerson(organisationId, kind, id)} SELECT id FROM person)`
      : undefined
  const { head, rows } = await store.select({
    head: {
      current: optional(text(documentOf(store, collection, id))),
      version: optional(
        integer(sql`(SELECT version FROM records WHERE ${ofRecord(store, record)})`),
      ),
      schema: optional(text(kind ? schemaColumn(organisationId, kind) : sql`NULL`)),
    },
    rows: {
      columns: {
        id: text(sql`id`),
        version: integer(sql`previous`),
        at: text(sql`previous_at`),
        change: enumeration<PreviousVersion['change']>(sql`change`),
        replacedAt: text(sql`at`),
        ...authorColumns(store),
        document: text(sql`replaced`),
        lacksSignUp: flag(lacksSignUp),
      },
      // A row of a change has the document that it replaced. The change before made that document, so its
      // version and time are those of the document.
      from: sql`FROM (
          SELECT *, lag(version) OVER changes AS previous, lag(at) OVER changes AS previous_at
          FROM (
            ${selectChanges(store, record, inHistory)}
          )
          WINDOW changes AS (PARTITION BY id ORDER BY version)
        ) AS change_of_record
        WHERE replaced IS NOT NULL ORDER BY change_of_record.version DESC`,
    },
    permissions,
    collection,
  })
  const { current, version: currentVersion, schema } = head
  return { current, currentVersion, schema, versions: rows }
}

/** A record that an operation changed or deleted, with its document before. */
export type ChangedRecord = {
  collection: string
  id: string
  document: string
  /** The version that the operation gave it; null if it deleted the record. */
  version: number | null
  /** Whether the record is still as the operation left it. */
  isUnchanged: boolean
  /** Whether it had a sign-up and its data is no longer stored. */
  lacksSignUp: boolean
}

/** A deletion or a merge changes at most 1,000 records, so this limit cuts none of them off. */
const maxChanged = 1001

/**
 * The other records that were changed or deleted by the operation that replaced this version, in order of arrival, which is
 * the order of a waiting list. The changes of one operation have the same time and author; `asOneOperation`
 * (`store/version.ts`) gives them a time of their own within the organisation. Authors are compared as the JSON text that every
 * writer stores.
 */
export async function readSameOperation(
  store: Store,
  { collection, id }: VersionsQuery,
  { replacedAt, author }: PreviousVersion,
): Promise<ChangedRecord[]> {
  const { rows } = await store.select({
    rows: {
      columns: {
        collection: text(sql`collection`),
        id: text(sql`id`),
        document: text(sql`replaced`),
        version: nullable(integer(sql`changed.version`)),
        isUnchanged: flag(sql`changed.version IS (
          SELECT version FROM records WHERE ${ofOrganisation(store, 'records')}
            AND records.collection = changed.collection AND records.id = changed.id
        )`),
        lacksSignUp: flag(sql`lacks_sign_up`),
      },
      from: sql`FROM (
          SELECT collection, id, replaced, iif(change = 'deleted', NULL, version) AS version,
            ${lacksSignUp} AS lacks_sign_up
          FROM history
          WHERE ${ofOrganisation(store)} AND at = ${replacedAt}
            AND replaced IS NOT NULL AND author IS ${author && JSON.stringify(author)}
            AND NOT (collection = ${collection} AND id = ${id})
        ) AS changed
        ORDER BY (
          SELECT min(version) FROM history WHERE ${ofOrganisation(store, 'history')}
            AND history.collection = changed.collection AND history.id = changed.id
        )
        LIMIT ${sql.raw(String(maxChanged))}`,
    },
    permissions: ['read', 'write'],
  })
  return rows
}
