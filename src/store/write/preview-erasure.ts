import { type SQL, sql } from 'drizzle-orm/sql'
import type { Credential } from '../../access/credential.ts'
import { ApiError } from '../../model/api-error.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { type Reference, references } from '../../model/references.ts'
import { ordinals } from '../bitmap/bits.ts'
import type { Body, Row } from '../statement.ts'
import type { Store } from '../store.ts'
import { countHolders, hasTerm } from './referrers.ts'

/** A person to erase if their record has one of these versions. */
export type Erasure = { kind: Kind; id: string; versions?: readonly number[] | undefined }

/** The stored record and references of a person to erase, with the first step. */
export type ErasurePreview = {
  /** The record's version and creation time; null without a record. */
  version: number | null
  created: string | null
  /** The number of referring records by collection. */
  namedBy: [collection: string, count: number][]
  first: ErasureStep
}

/** The changes of one step of an erasure. */
export type ErasureStep = {
  /** Rows of `records` that may reference the person, by reference. */
  rows: readonly (readonly number[])[]
  /** The ordinal of the last record by reference. Later steps start after it. */
  lastOrdinals: readonly number[]
  /** Whether no records remain for later steps. */
  isLast: boolean
}

// Each step is one transaction, and all other requests wait for it.
const maxRecords = 500
const maxBytes = 250_000

/** Reads the state of a person before an erasure. Throws 403 if the credential may not erase. */
export async function previewErasure(store: Store, { kind, id }: Erasure): Promise<ErasurePreview> {
  const { organisationId, credential } = store
  await store.verifyPerson()
  const referring = findReferences(kind)
  const root = isPerson(organisationId, kind, id)
  const counts = referring.map(
    (reference) =>
      sql`json_array(${reference.from}, (${countHolders(organisationId, reference, id)}))`,
  )
  const { head, rows } = await store.read(
    {
      can_erase: canErase(credential),
      version: sql`(SELECT version FROM records WHERE ${root})`,
      created: sql`(SELECT created FROM records WHERE ${root})`,
      named_by: sql`json_array(${sql.join(counts, sql`, `)})`,
    },
    selectCandidates(organisationId, referring, id),
    { permissions: ['write'], collection: kind },
  )
  requireErasure(store, head)
  const namedBy: ErasurePreview['namedBy'] = JSON.parse(String(head.named_by))
  return {
    version: head.version === null ? null : Number(head.version),
    created: head.created === null ? null : String(head.created),
    namedBy: namedBy.filter(([, count]) => count > 0),
    first: chooseStep(rows, referring),
  }
}

/** Throws 403 if a result with `canErase` shows that the credential may not erase. */
export function requireErasure(store: Store, { can_erase }: Row): void {
  if (store.policy.isRestricted)
    throw new ApiError(
      'FORBIDDEN',
      'Some of the records to erase are hidden from these credentials.',
    )
  if (can_erase !== 1)
    throw new ApiError('FORBIDDEN', 'Only administrators of the organisation erase people.')
}

/** Returns the references to a person kind. */
export const findReferences = (kind: Kind) => references.filter(({ to }) => to === kind)

/** Returns SQL that tests whether a credential may erase people: any key, or an administrator. */
export const canErase = ({ administers }: Credential): SQL => administers ?? sql`true`

/** Returns SQL for the condition that selects a person's own record. */
export const isPerson = (organisationId: string, kind: Kind, id: string) =>
  sql`collection = ${kind} AND id = ${id} AND organisation_id = ${organisationId}`

/** Returns SQL for the records of the step after the given ordinals, and one more. */
export const selectCandidates = (
  organisationId: string,
  referring: readonly Reference[],
  id: string,
  lastOrdinals: readonly number[] = [],
): Body => ({
  columns: ['reference', 'row', 'ordinal', 'bytes'],
  rows: sql.join(
    referring.map((reference, index) => {
      const ordinal = sql.raw(String(lastOrdinals[index] ?? 0))
      // The index stores only the beginning of a long id, so a candidate may reference another
      // record.
      return sql`SELECT * FROM (
        SELECT ${sql.raw(String(index))} AS reference, records.row, records.ordinal,
          octet_length(records.document) AS bytes
        FROM terms
        CROSS JOIN bitmaps ON bitmaps.term_id = terms.id AND bitmaps.block >= ${ordinal} / 496
        CROSS JOIN json_each('[' || ${sql.raw(ordinals)} || ']') AS item
        CROSS JOIN records ON records.organisation_id = terms.organisation_id
          AND records.collection = terms.collection AND records.ordinal = item.value
        WHERE ${hasTerm(organisationId, reference, id)} AND item.value > ${ordinal}
        LIMIT ${sql.raw(String(maxRecords + 1))}
      )`
    }),
    sql` UNION ALL `,
  ),
})

/** Returns a step with the candidates that fit one transaction, at least one. */
export function chooseStep(
  candidates: readonly Row[],
  referring: readonly Reference[],
  before: readonly number[] = [],
): ErasureStep {
  let bytes = 0
  const step = candidates.slice(0, maxRecords).filter((row, index) => {
    bytes += Number(row.bytes)
    return index === 0 || bytes <= maxBytes
  })
  const byReference = referring.map((_, index) =>
    step.filter(({ reference }) => reference === index),
  )
  return {
    rows: byReference.map((rows) => rows.map(({ row }) => Number(row))),
    lastOrdinals: byReference.map((rows, index) =>
      Number(rows.at(-1)?.ordinal ?? before[index] ?? 0),
    ),
    isLast: step.length === candidates.length,
  }
}
