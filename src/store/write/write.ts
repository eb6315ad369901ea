import { type SQL, sql } from 'drizzle-orm'
import { type Credential, hasPermissions } from '../../access/credential.ts'
import type { Permission } from '../../access/permissions.ts'
import type { Author } from '../../model/author.ts'
import { type UniqueValue, uniqueValueOwners } from '../read/unique-values.ts'
import { type Scope, statement } from '../statement.ts'
import { hasWebhooks } from './has-webhooks.ts'
import { type IdempotentRequest, type StoredResponse, storeResponse } from './idempotency.ts'
import { type NewDocument, putStatement } from './put.ts'

/**
 * Records of one collection to write together, or not at all if the state has changed since it was
 * read.
 */
export type Write = {
  collection: string
  rights: readonly Permission[]
  /** The changed and new records. */
  put: readonly NewDocument[]
  /** Values to set within one record instead of `put`; its other values stay. */
  set?: { id: string; leaves: readonly Leaf[] } | undefined
  /** The required versions of records: 'any' for an existing record, null for none. */
  versions: readonly { id: string; version: number | 'any' | null }[]
  /** The values of unique fields. */
  unique: readonly UniqueValue[]
  /** Records that may still have them, because they are about to release them. */
  holders?: readonly string[]
  /** The records that must exist. */
  named: readonly ReferencedRecord[]
  /** The source of the change, unless it is a request. */
  through?: Author['through']
  /** A request with an Idempotency-Key, and its response. */
  request?: { repeatable: IdempotentRequest; made: Omit<StoredResponse, 'body'> } | undefined
}

/** A value within a record: its JSON path and JSON text. */
export type Leaf = { path: string; value: string }

/** The maximum number of values in one statement: D1 binds at most 100 parameters. */
export const maxLeaves = 20

/** A record that another references. */
export type ReferencedRecord = { to: string; id: string }

/**
 * The state found in the transaction of a write. Everything is written if nothing prevents it,
 * otherwise nothing.
 */
export type WriteResult = {
  /** Ids of the records to put that existed before. */
  known: string[]
  /** Ids of records with other versions. */
  changed: string[]
  /** Values that another record has. */
  taken: UniqueValue[]
  /** The indexes in `named` of records that do not exist. */
  missing: number[]
}

/**
 * Returns the statements of a write for one batch. The first returns a row with the permissions,
 * and the result as JSON texts.
 */
export function writeStatements(
  d1: D1Database,
  credential: Credential,
  write: Write,
): D1PreparedStatement[] {
  const { collection, rights, put, set, versions, unique, holders = [], named, request } = write
  const { organisationId } = credential
  const author = { ...credential.author, ...(write.through && { through: write.through }) }
  const scope = { organisationId, collection }
  const own = set ? [set.id] : put.map(({ id }) => id)
  const ids = JSON.stringify(own)
  const inTheWay = {
    changed: versions.length > 0 && changedOf(organisationId, collection, versions),
    taken:
      unique.length > 0 &&
      sql`SELECT json_object('field', field, 'value', value) AS found FROM (${uniqueValueOwners(scope, unique)})
        WHERE id NOT IN (SELECT value FROM json_each(${JSON.stringify([...own, ...holders])}))`,
    missing: named.length > 0 && missingOf(organisationId, named),
  }
  const known = sql`SELECT id AS found FROM records WHERE collection = ${collection}
    AND id IN (SELECT value FROM json_each(${ids})) AND organisation_id = ${organisationId}`
  const nothingInTheWay = sql.join(
    [
      hasPermissions(credential, rights),
      ...Object.values(inTheWay).flatMap((found) => (found ? [sql`NOT EXISTS (${found})`] : [])),
    ],
    sql` AND `,
  )
  const told = Object.entries({ known, ...inTheWay }).map(
    ([name, found]) => sql`${found ? listed(found) : sql`'[]'`} AS ${sql.identifier(name)}`,
  )
  return [
    statement(
      d1,
      sql`SELECT ${credential.rights} AS rights, ${hasWebhooks(organisationId)} AS followed,
        ${sql.join(told, sql`, `)}`,
    ),
    ...(request
      ? storeResponse(d1, organisationId, request.repeatable, request.made, nothingInTheWay)
      : []),
    ...(put.length > 0 ? [putStatement(d1, scope, put, author, nothingInTheWay)] : []),
    ...(set ? [statement(d1, setting(scope, set, author, nothingInTheWay))] : []),
  ]
}

/** Parses the first row of a write. */
export const parseWriteResult = (row: Record<string, unknown>): WriteResult => ({
  known: JSON.parse(String(row.known)),
  changed: JSON.parse(String(row.changed)),
  taken: JSON.parse(String(row.taken)).map((text: string) => JSON.parse(text)),
  missing: JSON.parse(String(row.missing)),
})

/**
 * Returns SQL that sets values within a record, and gives it the next version if that changes it.
 */
function setting(
  { organisationId, collection }: Scope,
  { id, leaves }: NonNullable<Write['set']>,
  author: Author,
  condition: SQL,
): SQL {
  const now = new Date().toISOString()
  const values = leaves.map(({ path, value }) => sql`${path}, json(${value})`)
  return sql`
    UPDATE records SET
      document = next.document, updated = ${now}, version = next.version, changed = next.changed,
      changed_by = ${JSON.stringify(author)}, changed_by_version = next.version
    FROM (
      SELECT
        records.row,
        json_set(records.document, ${sql.join(values, sql`, `)}) AS document,
        organisations.version + 1 AS version,
        max(organisations.changed, ${now}) AS changed
      FROM records CROSS JOIN organisations ON organisations.id = records.organisation_id
      WHERE collection = ${collection} AND records.id = ${id}
        AND organisation_id = ${organisationId} AND ${condition}
    ) AS next
    WHERE records.row = next.row AND records.document <> next.document`
}

const listed = (found: SQL) => sql`(SELECT json_group_array(found) FROM (${found}))`

const changedOf = (organisationId: string, collection: string, versions: Write['versions']) => sql`
  SELECT item.value ->> '$.id' AS found FROM json_each(${JSON.stringify(versions)}) AS item
  WHERE item.value ->> '$.version' IS NOT (
    SELECT iif(item.value ->> '$.version' = 'any', 'any', version) FROM records
    WHERE collection = ${collection}
      AND id = item.value ->> '$.id' AND organisation_id = ${organisationId}
  )`

const missingOf = (organisationId: string, named: readonly ReferencedRecord[]) => sql`
  SELECT item.key AS found FROM json_each(${JSON.stringify(named)}) AS item
  WHERE NOT EXISTS (
    SELECT 1 FROM records WHERE collection = item.value ->> '$.to'
      AND id = item.value ->> '$.id' AND organisation_id = ${organisationId}
  )`
