import { type SQL, sql } from 'drizzle-orm'
import { type Credential, hasPermissions } from '../../access/credential.ts'
import type { Permission } from '../../access/permissions.ts'
import type { Author } from '../../model/author.ts'
import { type UniqueValue, uniqueValueOwners } from '../read/unique-values.ts'
import type { Scope } from '../sql/scope.ts'
import { statement } from '../sql/statement.ts'
import { hasWebhooks } from './has-webhooks.ts'
import { type IdempotentRequest, type StoredResponse, storeResponse } from './idempotency.ts'
import { type NewDocument, putStatement } from './put.ts'

/** Records of one collection to be kept all at once, or not at all if anything else has come about meanwhile. */
export type Write = {
  collection: string
  rights: readonly Permission[]
  /** What changes or is new. */
  put: readonly NewDocument[]
  /** Values to set within one record, whatever else is in it by then, in place of `put`. */
  set?: { id: string; leaves: readonly Leaf[] } | undefined
  /** The versions of which records must be: 'any' where there must be a record, null where there must be none. */
  versions: readonly { id: string; version: number | 'any' | null }[]
  /** Values that no other record may have. */
  unique: readonly UniqueValue[]
  /** Records that may have them all the same, as they are about to give them up. */
  holders?: readonly string[]
  /** The records that must be there. */
  named: readonly ReferencedRecord[]
  /** Through what it is written, unless that is a request of its own. */
  through?: Author['through']
  /** The request, where it may be sent again, and what it is then answered with. */
  request?: { repeatable: IdempotentRequest; made: Omit<StoredResponse, 'body'> } | undefined
}

/** A value within a record: its JSON path, and itself as JSON text. */
export type Leaf = { path: string; value: string }

/** How many values a statement can set: D1 binds 100 parameters at most. */
export const maxLeaves = 20

/** A record that another names. */
export type ReferencedRecord = { to: string; id: string }

/** What was found in the transaction of a write. Only where nothing is in its way, all was kept. */
export type WriteResult = {
  /** Ids of records to be put that were there before. */
  known: string[]
  /** Ids of those that are of other versions. */
  changed: string[]
  /** Values that another record has. */
  taken: UniqueValue[]
  /** The places of `named` that are not there. */
  missing: number[]
}

/** The statements of a write, for one batch. The first gives a row of rights, and of what was found as JSON texts. */
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

/** What the first row of a write says. */
export const parseWriteResult = (row: Record<string, unknown>): WriteResult => ({
  known: JSON.parse(String(row.known)),
  changed: JSON.parse(String(row.changed)),
  taken: JSON.parse(String(row.taken)).map((text: string) => JSON.parse(text)),
  missing: JSON.parse(String(row.missing)),
})

/** SQL that sets values within a record, and gives it the next version if that changes it. */
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
