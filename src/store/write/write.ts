import { type SQL, sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
import type { Author, ChangeSource } from '../../model/author.ts'
import { termId } from '../bitmap/bits.ts'
import { list } from '../columns.ts'
import { ofOrganisation } from '../fragments.ts'
import { buildSingleStatement, emptySingle, type Single, type SingleQuery } from '../read/single.ts'
import { type UniqueValue, uniqueValueOwners } from '../read/unique-values.ts'
import type { Scope } from '../statement.ts'
import type { Store } from '../store.ts'
import { type Audit, reasons } from '../terms.ts'
import { replaceDocuments } from '../version.ts'
import { putQuestions, restoreAttached } from './attached.ts'
import { type IdempotentRequest, type StoredResponse, storeResponse } from './idempotency.ts'
import type { MatchValue } from './match.ts'
import { type NewDocument, putDocuments } from './put.ts'

/**
 * Records of one collection to write in one transaction. Nothing is written if the stored state has
 * changed.
 */
export type Write = {
  collection: string
  permissions: readonly Permission[]
  /** The changed and new records. */
  put?: readonly NewDocument[]
  /** Values to set within one record, instead of `put`. Its other values stay. */
  set?: { id: string; values: readonly IndexedValue[] } | undefined
  /** Required versions of records: 'any' for any existing version, null for a record that must not exist. */
  versions?: readonly RequiredVersion[]
  /** Required numbers of records with a value, for the records that a value identified. */
  matches?: ValueMatches | undefined
  /** The values of unique fields, which no other record may have. */
  unique?: readonly UniqueValue[]
  /** The ids of records that may still have these values, because the same import gives them others. */
  holders?: readonly string[]
  /** The records that must exist, because the written ones refer to them. */
  references?: readonly ReferencedRecord[]
  /** The source of the change if it is not a single request. */
  source?: ChangeSource | undefined
  /** Whether the credential may write the collection even if it is hidden. */
  ignoresHidden?: boolean
  /** Whether what belonged to deleted records comes back with them. */
  isRestore?: boolean | undefined
  /** The questions of a new event, as JSON. */
  questions?: { eventId: string; questions: string } | undefined
  /** The entry in the audit log. */
  audit?: Audit | undefined
  /** A request with an Idempotency-Key, and its response. */
  request?: { digests: IdempotentRequest; response: Omit<StoredResponse, 'bodyHash'> } | undefined
}

type RequiredVersion = { id: string; version: number | 'any' | null }

/** Records to write by the value of a field, and the number of stored records with this value. */
export type ValueMatches = {
  field: string
  records: readonly { id: string; value: MatchValue; count: number }[]
}

/** A value within a record, as a JSON path and JSON text. */
export type IndexedValue = { path: string; value: string }

/** The maximum number of values in one statement: D1 binds at most 100 parameters. */
export const maxValuesToSet = 20

/** A record that another references. */
export type ReferencedRecord = { to: string; id: string }

/** The state that a write found in its transaction. Any obstacle prevents the whole write. */
export type WriteResult = {
  /** Ids in `put` that existed before. */
  known: string[]
  /** Ids of records with a different version, or a different number of records with their value. */
  changed: string[]
  /** Unique values that another record has. */
  taken: UniqueValue[]
  /** Indexes in `references` of records that do not exist. */
  missing: number[]
}

/**
 * Writes records in one transaction, or none if the result has a conflict. Also returns one record
 * in its new state, with related data.
 */
export async function commitWrite(
  store: Store,
  write: Write,
  single?: SingleQuery,
): Promise<{ result: WriteResult; single: Single }> {
  const {
    collection,
    permissions,
    put = [],
    set,
    versions = [],
    matches,
    unique = [],
    holders = [],
    references = [],
    request,
    questions,
  } = write
  const { organisationId, credential } = store
  const author = { ...credential.author, ...write.source }
  const scope = { organisationId, collection }
  const ids = set ? [set.id] : put.map(({ id }) => id)
  const known = sql`SELECT id AS item FROM records WHERE collection = ${collection}
    AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND ${ofOrganisation({ organisationId })}`
  const others = JSON.stringify([...ids, ...holders])
  const related = single && buildSingleStatement(store, single)
  const { refused, rows, ...returned } = await store.write(
    {
      permissions,
      collection: write.ignoresHidden ? undefined : collection,
      unless: {
        changed:
          versions.length > 0
            ? reasons<string>(selectChanged(scope, versions, matches))
            : undefined,
        taken:
          unique.length > 0
            ? reasons<UniqueValue>(
                sql`SELECT json_object('field', field, 'value', value) AS item
                  FROM (${uniqueValueOwners(scope, unique)})
                  WHERE id NOT IN (SELECT value FROM json_each(${others}))`,
                { isJson: true },
              )
            : undefined,
        missing:
          references.length > 0
            ? reasons<number>(selectMissing(organisationId, references))
            : undefined,
      },
      returns: { known: list<string>(known) },
      audit: write.audit,
    },
    [
      ...(request ? storeResponse(organisationId, request.digests, request.response) : []),
      ...(put.length > 0 ? [putDocuments(scope, put, author)] : []),
      ...(set ? [setValues(scope, set, author)] : []),
      ...(write.isRestore ? restoreAttached(scope, ids) : []),
      ...(questions ? [putQuestions(organisationId, questions.eventId, questions.questions)] : []),
      ...(related ? [related.query] : []),
    ],
  )
  return {
    result: { ...returned, changed: [], taken: [], missing: [], ...refused },
    single: related && !refused ? related.parse(rows) : emptySingle,
  }
}

/** SQL that sets values within a record if they differ. */
function setValues(
  { organisationId, collection }: Scope,
  { id, values }: NonNullable<Write['set']>,
  author: Author,
): SQL {
  const assignments = values.map(({ path, value }) => sql`${path}, json(${value})`)
  return replaceDocuments(
    author,
    sql`collection = ${collection} AND records.id = ${id} AND ${ofOrganisation({ organisationId })}`,
    sql`json_set(records.document, ${sql.join(assignments, sql`, `)})`,
    { isWrite: true, isSingle: true },
  )
}

const selectChanged = (
  scope: Scope,
  versions: readonly RequiredVersion[],
  matches?: ValueMatches,
) =>
  matches
    ? sql`${selectOtherVersions(scope, versions)} UNION ALL ${selectOtherCounts(scope, matches)}`
    : selectOtherVersions(scope, versions)

const selectOtherVersions = (
  { organisationId, collection }: Scope,
  versions: readonly RequiredVersion[],
) => sql`
  SELECT required.value ->> '$.id' AS item FROM json_each(${JSON.stringify(versions)}) AS required
  WHERE required.value ->> '$.version' IS NOT (
    SELECT iif(required.value ->> '$.version' = 'any', 'any', version) FROM records
    WHERE collection = ${collection}
      AND id = required.value ->> '$.id' AND ${ofOrganisation({ organisationId })}
  )`

const selectOtherCounts = (scope: Scope, { field, records }: ValueMatches) => sql`
  SELECT required.value ->> '$.id' AS item FROM json_each(${JSON.stringify(records)}) AS required
  WHERE required.value ->> '$.count' <> coalesce((
    SELECT count FROM terms WHERE id = ${termId(scope, field, sql`required.value ->> '$.value'`)}
  ), 0)`

/** SQL that selects the indexes of records that do not exist, as `item`. */
export const selectMissing = (
  organisationId: string,
  references: readonly ReferencedRecord[],
) => sql`
  SELECT reference.key AS item FROM json_each(${JSON.stringify(references)}) AS reference
  WHERE NOT EXISTS (
    SELECT 1 FROM records WHERE collection = reference.value ->> '$.to'
      AND id = reference.value ->> '$.id' AND ${ofOrganisation({ organisationId })}
  )`
