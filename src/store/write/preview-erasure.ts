import { type SQL, sql } from 'drizzle-orm/sql'
import type { Credential } from '../../access/credential.ts'
import { ApiError } from '../../model/api-error.ts'
import { isCleared, isOwnRecord } from '../../model/properties/personal-data.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { references } from '../../model/references.ts'
import { blockSize, ordinalsOfBlock } from '../bitmap/bits.ts'
import {
  flag,
  integer,
  json,
  nullable,
  type Rows,
  type Selected,
  scalar,
  text,
} from '../columns.ts'
import { ofRecord } from '../fragments.ts'
import type { Store } from '../store.ts'
import { recordName } from './person-details.ts'
import { findPersonLinks, type PersonLinks } from './person-links.ts'
import { countHolders, isTermOf, mayFind } from './referrers.ts'

/** A person to erase if their record has one of these versions. */
export type Erasure = { kind: Kind; id: string; versions?: readonly number[] | undefined }

/** The stored record and the other records of a person to erase, with the first step. */
export type ErasurePreview = {
  /** The record's version and creation time; null without a record. */
  version: number | null
  created: string | null
  /** Whether anything is left to erase: the record, previous versions or referring records. */
  isStored: boolean
  /** Whether previous versions of the person's record are stored. */
  hasVersions: boolean
  /** The number of referring records by collection. */
  namedBy: [collection: string, count: number][]
  /** The records with a detail of the person, and the links that find all records. */
  found: PersonLinks
  first: ErasureStep
}

/** The changes of one step of an erasure. */
export type ErasureStep = {
  /** Rows of `records` to erase, by link. */
  rows: readonly (readonly number[])[]
  /** Rows of records with the name of somebody else, which only lose the detail, by link. */
  othersRows: readonly (readonly number[])[]
  /** The ordinal of the last record by link. Later steps start after it. */
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
  const guard = { permissions: ['write'], collection: kind, policy: store.policy } as const
  const found = await findPersonLinks(store, { kind, id }, guard)
  const referring = findReferencesTo(kind)
  const root = ofRecord(store, { collection: kind, id })
  const counts = referring.map(
    (reference) =>
      sql`json_array(${reference.from}, (${countHolders(organisationId, reference, id)}))`,
  )
  const { head, rows } = await store.select({
    head: {
      canErase: flag(canErase(credential)),
      version: nullable(integer(sql`(SELECT version FROM records WHERE ${root})`)),
      created: nullable(text(sql`(SELECT created FROM records WHERE ${root})`)),
      hasVersions: flag(sql`EXISTS (${selectVersions(organisationId, kind, id)})`),
      counted: json<ErasurePreview['namedBy']>(sql`json_array(${sql.join(counts, sql`, `)})`),
    },
    rows: selectCandidates(organisationId, found),
    ...guard,
  })
  requireErasure(store, head.canErase)
  const { version, created, hasVersions } = head
  const namedBy = head.counted.filter(([, count]) => count > 0)
  return {
    version,
    created,
    isStored: version !== null || hasVersions || namedBy.length > 0,
    hasVersions,
    namedBy,
    found,
    first: chooseStep(rows, found),
  }
}

/** Throws 403 if the credential may not erase, according to `canErase`. */
export function requireErasure(store: Store, mayErase: boolean): void {
  if (store.policy.isRestricted)
    throw new ApiError(
      'FORBIDDEN',
      'Some of the records to erase are hidden from these credentials.',
    )
  if (!mayErase)
    throw new ApiError('FORBIDDEN', 'Only administrators of the organisation erase people.')
}

export const findReferencesTo = (kind: Kind) => references.filter(({ to }) => to === kind)

/** SQL that tests whether a credential may erase people: any key, or an administrator. */
export const canErase = ({ administers }: Credential): SQL => administers ?? sql`true`

/** SQL for the stored previous versions of a person, which outlast a deletion. */
export const selectVersions = (organisationId: string, kind: Kind, id: string) =>
  sql`SELECT 1 FROM history
    WHERE ${ofRecord({ organisationId }, { collection: kind, id }, 'history')} AND replaced IS NOT NULL`

/** The columns of a record that a step may erase, with the index of the link that finds it. */
export const candidateColumns = {
  link: integer(sql`link.key`),
  row: integer(sql`records.row`),
  ordinal: integer(sql`records.ordinal`),
  bytes: integer(sql`octet_length(records.document)`),
  name: scalar(recordName),
}

type Candidate = Selected<typeof candidateColumns>

/** The records of the step after the given ordinals, and one more. */
export const selectCandidates = (
  organisationId: string,
  { links }: PersonLinks,
  lastOrdinals: readonly number[] = [],
): Rows<typeof candidateColumns> => ({
  columns: candidateColumns,
  // The index stores only the beginning of a long id, so a candidate may refer to another record.
  from: sql`FROM json_each(${JSON.stringify(
    links.map((link, index) => ({ ...link, after: lastOrdinals[index] ?? 0 })),
  )}) AS link
    CROSS JOIN terms ON ${isTermOf(organisationId, sql`link`)}
    CROSS JOIN bitmaps ON bitmaps.term_id = terms.id
      AND bitmaps.block >= (link.value ->> '$.after') / ${sql.raw(String(blockSize))}
    CROSS JOIN json_each('[' || ${sql.raw(ordinalsOfBlock)} || ']') AS item
    CROSS JOIN records ON records.organisation_id = terms.organisation_id
      AND records.collection = terms.collection AND records.ordinal = item.value
    WHERE item.value > (link.value ->> '$.after') AND ${mayFind(sql`link`)}
    LIMIT ${sql.raw(String(maxRecords + 1))}`,
})

/** A step with the candidates that fit one transaction, at least one. */
export function chooseStep(
  candidates: readonly Candidate[],
  { links, names }: Pick<PersonLinks, 'links' | 'names'>,
  before: readonly number[] = [],
): ErasureStep {
  let bytes = 0
  const step = candidates.slice(0, maxRecords).filter((row, index) => {
    bytes += row.bytes
    return index === 0 || bytes <= maxBytes
  })
  const byLink = links.map((link, index) => {
    const ofLink = step.filter((candidate) => candidate.link === index)
    const { own = [], others = [] } = Object.groupBy(ofLink, ({ name }) =>
      isOwnRecord(link, name, names) ? 'own' : 'others',
    )
    return {
      own: own.map(({ row }) => row),
      others: isCleared(link) ? others.map(({ row }) => row) : [],
      lastOrdinal: ofLink.at(-1)?.ordinal ?? before[index] ?? 0,
    }
  })
  return {
    rows: byLink.map(({ own }) => own),
    othersRows: byLink.map(({ others }) => others),
    lastOrdinals: byLink.map(({ lastOrdinal }) => lastOrdinal),
    isLast: step.length === candidates.length,
  }
}
