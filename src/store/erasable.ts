import { type SQL, sql } from 'drizzle-orm'
import type { Credential } from '../access/credential.ts'
import { references } from '../model/references.ts'
import type { Kind } from '../model/schema.ts'
import { holderCount } from './referrers.ts'
import type { Row } from './sql/head-and-rows.ts'

/** A person to be erased: if of one of some versions. */
export type Erasure = { kind: Kind; id: string; versions?: readonly number[] | undefined }

/** What there is of a person to erase. */
export type Erasable = {
  /** The record's version, and when it was created; null where there is none. */
  version: number | null
  created: string | null
  /** How many records of each collection name them. */
  namedBy: [collection: string, count: number][]
}

/** SQL for what there is to erase, and for whether the credential may. */
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

/** What such a head says; undefined where the credential may not erase. */
export function erasableOf(row: Row): Erasable | undefined {
  if (row.may !== 1) return undefined
  const counts: Erasable['namedBy'] = JSON.parse(String(row.named_by))
  return {
    version: row.version === null ? null : Number(row.version),
    created: row.created === null ? null : String(row.created),
    namedBy: counts.filter(([, count]) => count > 0),
  }
}

/** The references by which records may name a person of a kind. */
export const referencesTo = (kind: Kind) => references.filter(({ to }) => to === kind)

/** SQL for whether a credential may erase people: a key may, and a person who administers the organisation. */
export const mayErase = ({ administers }: Credential): SQL => administers ?? sql`true`

/** SQL for the person's own record. */
export const rootOf = ({ organisationId }: Credential, kind: Kind, id: string) =>
  sql`collection = ${kind} AND id = ${id} AND organisation_id = ${organisationId}`
