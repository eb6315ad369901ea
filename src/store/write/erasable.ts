import { type SQL, sql } from 'drizzle-orm'
import type { Credential } from '../../access/credential.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { references } from '../../model/references.ts'
import type { Row } from '../statement.ts'
import { holderCount } from './referrers.ts'

/** A person to erase, only if their record has one of these versions. */
export type Erasure = { kind: Kind; id: string; versions?: readonly number[] | undefined }

/** The stored record and the references of a person to erase. */
export type Erasable = {
  /** The record's version and time of creation; null without a record. */
  version: number | null
  created: string | null
  /** The number of records that refer to the person, by collection. */
  namedBy: [collection: string, count: number][]
}

/** Returns SQL for a person to erase, and for whether the credential may. */
export function erasableHead(credential: Credential, { kind, id }: Erasure): Record<string, SQL> {
  const { organisationId } = credential
  const counts = referencesTo(kind).map(
    (reference) =>
      sql`json_array(${reference.from}, (${holderCount(organisationId, reference, id)}))`,
  )
  const root = rootOf(credential, kind, id)
  return {
    may: mayErase(credential),
    version: sql`(SELECT version FROM records WHERE ${root})`,
    created: sql`(SELECT created FROM records WHERE ${root})`,
    named_by: sql`json_array(${sql.join(counts, sql`, `)})`,
  }
}

/** Parses that row; undefined if the credential may not erase. */
export function erasableOf(row: Row): Erasable | undefined {
  if (row.may !== 1) return undefined
  const counts: Erasable['namedBy'] = JSON.parse(String(row.named_by))
  return {
    version: row.version === null ? null : Number(row.version),
    created: row.created === null ? null : String(row.created),
    namedBy: counts.filter(([, count]) => count > 0),
  }
}

/** Returns the references to a kind of people. */
export const referencesTo = (kind: Kind) => references.filter(({ to }) => to === kind)

/**
 * Returns SQL for whether a credential may erase people: keys may, and administrators of the
 * organisation.
 */
export const mayErase = ({ administers }: Credential): SQL => administers ?? sql`true`

/** Returns SQL for the person's own record. */
export const rootOf = ({ organisationId }: Credential, kind: Kind, id: string) =>
  sql`collection = ${kind} AND id = ${id} AND organisation_id = ${organisationId}`
