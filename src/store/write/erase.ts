import { type SQL, sql } from 'drizzle-orm/sql'
import { type Credential, hasPermissions } from '../../access/credential.ts'
import { kinds } from '../../model/properties/schema.ts'
import type { Reference } from '../../model/references.ts'
import { actorOf, auditInsert } from '../audit-log.ts'
import { hasWebhooks, type Store } from '../store.ts'
import { replaceDocuments } from '../version.ts'
import { documentWithoutReference, hasVersion } from './delete.ts'
import {
  canErase,
  chooseStep,
  type Erasure,
  type ErasureStep,
  findReferences,
  isPerson,
  requireErasure,
  selectCandidates,
} from './preview-erasure.ts'
import { deleteFileNames, deletePersonVersions, deleteVersions } from './previous-versions.ts'
import { referencingRows, refersTo } from './referrers.ts'

/** The properties of a booking that identify a person, without a person. */
export const bookingWithoutPerson = {
  ...{ memberId: '', user: '', userEmail: '', userName: '', booker: '' },
  ...{ funderMemberId: null, orderId: null },
} as const

/*
 * The effects of an erasure on referring records (additions 5). The erasure also deletes the
 * person's record, history and index entries, and clears webhook responses to messages about these
 * records; the row in `deletions` stays.
 */
const effects: Readonly<Record<string, ErasureEffect>> = {
  // A booking still counts towards its event, so it stays without the person's details.
  bookings: { cleared: bookingWithoutPerson },
  // Deletes records of this person alone. Records of several people stay without the link.
  'survey-responses': 'delete',
  'case-notes': 'delete',
}

type ErasureEffect = 'delete' | { cleared: Readonly<Record<string, string | null>> }

/** The result of one erasure step. */
type ErasureStepResult = {
  /** The version of the person's record before the step, or null. */
  version: number | null
  /** The step's records that also link to other people and stay without this link. */
  shared: [collection: string, id: string][]
  /** The next step; undefined if no data of the person is left. */
  next: ErasureStep | undefined
}

/**
 * Runs one erasure step in one transaction; throws 403 if the credential may not erase. Deletes the
 * person's own record last, so that an interrupted erasure can resume.
 */
export async function runErasureStep(
  store: Store,
  { kind, id, versions }: Erasure,
  { rows, lastOrdinals, isLast }: ErasureStep,
): Promise<ErasureStepResult> {
  const { organisationId, credential } = store
  const referring = findReferences(kind)
  const root = isPerson(organisationId, kind, id)
  const condition = all([
    hasPermissions(credential, ['write']),
    canErase(credential),
    hasVersion(versions, root),
  ])
  const steps = referring.map((reference, index) => ({
    reference,
    // Other requests may have changed or deleted these records since the last step.
    rows: sql`SELECT records.row FROM json_each(${JSON.stringify(rows[index] ?? [])}) AS item
      CROSS JOIN records ON records.row = item.value
      WHERE organisation_id = ${organisationId} AND collection = ${reference.from}
        AND ${refersTo(reference, id)}`,
  }))
  const shared = steps
    .filter(({ reference }) => isDeleted(reference))
    .map(
      (step) => sql`SELECT * FROM (
        SELECT collection, id FROM records
        WHERE row IN (${step.rows}) AND ${isShared(step.reference, id)} ORDER BY row
      )`,
    )
  const head = {
    followed: hasWebhooks(organisationId),
    can_erase: canErase(credential),
    version: sql`(SELECT version FROM records WHERE ${root})`,
    shared: sql`(SELECT json_group_array(json_array(collection, id)) FROM (${sql.join(shared, sql` UNION ALL `)}))`,
  }
  const about = sql.join(
    [sql`SELECT ${kind} AS collection, ${id} AS id`, ...steps.map((step) => selectKeys(step.rows))],
    sql` UNION ALL `,
  )
  const referrers = referring.map((reference) => referencingRows(organisationId, reference, id))
  const others = referrers.map(
    (selected, index) =>
      sql`SELECT 1 FROM (${selected}) AS referrer
        WHERE row NOT IN (SELECT value FROM json_each(${JSON.stringify(rows[index] ?? [])}))`,
  )
  const isLeft = any(
    [sql`SELECT 1 FROM records WHERE ${root}`, ...steps.map(({ rows }) => rows)].map(exists),
  )
  const last = [
    deletePersonVersions(organisationId, kind, id, condition),
    ...eraseRecords(
      credential,
      sql`SELECT row FROM records WHERE ${root}`,
      all([condition, sql`NOT ${any(referrers.map(exists))}`]),
      // The history may outlast the record.
      sql`SELECT ${kind}, ${id}`,
    ),
    sql`SELECT NULL AS reference WHERE ${any([sql`SELECT 1 FROM records WHERE ${root}`, ...referrers].map(exists))}`,
  ]
  const entry = {
    organisationId,
    actor: actorOf(credential.author),
    action: `erased ${kinds[kind].singular}`,
    target: id,
  }
  const result = await store.transact({ permissions: ['write'], collection: kind }, head, [
    ...(isLast
      ? [auditInsert(entry, all([condition, sql`NOT ${any(others.map(exists))}`, isLeft]))]
      : []),
    sql`UPDATE webhook_attempts SET response = ''
      WHERE (webhook_id, attempted, message_id) IN (
        SELECT attempt.webhook_id, attempt.attempted, attempt.message_id
        FROM (${about}) AS about
        CROSS JOIN webhooks ON webhooks.organisation_id = ${organisationId}
        CROSS JOIN webhook_attempts AS attempt INDEXED BY webhook_attempts_with_response
          ON attempt.webhook_id = webhooks.id
          AND attempt.collection = about.collection AND attempt.record_id = about.id
          AND attempt.response <> ''
      ) AND ${condition}`,
    deleteFileNames(organisationId, about, condition),
    ...steps.flatMap((step) => changeReferrers(credential, step, id, condition)),
    // The documents before these changes still name the person.
    ...rows.map((changed) =>
      deleteVersions(
        organisationId,
        sql`SELECT collection, records.id FROM json_each(${JSON.stringify(changed)}) AS item
          CROSS JOIN records ON records.row = item.value WHERE organisation_id = ${organisationId}`,
        condition,
      ),
    ),
    ...(isLast ? last : [selectCandidates(organisationId, referring, id, lastOrdinals).rows]),
  ])
  requireErasure(store, result.head)
  // A record written during the erasure may have any ordinal, so the next step starts at 0.
  const restart = { ...chooseStep([], referring), isLast: false }
  const { version, shared: sharedRecords } = result.head
  return {
    version: version === null ? null : Number(version),
    shared: JSON.parse(String(sharedRecords)),
    next: isLast
      ? result.rows.length > 0
        ? restart
        : undefined
      : chooseStep(result.rows, referring, lastOrdinals),
  }
}

/** Returns SQL that applies the erasure's effect to a step's referring records. */
function changeReferrers(
  credential: Credential,
  { reference, rows }: { reference: Reference; rows: SQL },
  id: string,
  condition: SQL,
): SQL[] {
  const effect = erasureEffect(reference)
  if (effect !== 'delete') {
    const values = Object.entries(effect.cleared).map(
      ([name, value]) => sql`${`$.${name}`}, ${value}`,
    )
    const document = sql`json_set(records.document, ${sql.join(values, sql`, `)})`
    return [
      // The answers and links of a sign-up identify the person too.
      deleteSignUps(rows, condition),
      replaceDocuments(credential.author, sql`records.row IN (${rows} AND ${condition})`, document),
    ]
  }
  const shared = isShared(reference, id)
  return [
    ...eraseRecords(credential, sql`${rows} AND NOT ${shared}`, condition),
    replaceDocuments(
      credential.author,
      sql`records.row IN (${rows} AND ${condition})`,
      documentWithoutReference(reference, id),
    ),
  ]
}

/**
 * Returns SQL that deletes records and their history. Marks them first, so that the trigger
 * `history_of_deleted` adds no history.
 */
const eraseRecords = (
  { organisationId }: Credential,
  rows: SQL,
  condition: SQL,
  keys = selectKeys(rows),
): SQL[] => [
  sql`DELETE FROM history
    WHERE organisation_id = ${organisationId} AND (collection, id) IN (${keys}) AND ${condition}`,
  sql`UPDATE records SET changed_by = 'erased' WHERE row IN (${rows}) AND ${condition}`,
  sql`DELETE FROM records WHERE row IN (${rows}) AND ${condition}`,
]

/** Returns SQL that deletes the sign-ups of bookings with their links. */
const deleteSignUps = (bookings: SQL, condition: SQL) => sql`
  DELETE FROM sign_ups
  WHERE (organisation_id, booking_id) IN (
    SELECT organisation_id, id FROM records
    WHERE row IN (${bookings}) AND collection = 'bookings'
  ) AND ${condition}`

/** Returns SQL that tests whether a record also links to someone else. */
const isShared = ({ path }: Reference, id: string) => {
  const [links] = path.split('.')
  return sql`EXISTS (
    SELECT 1 FROM json_tree(records.document, ${`$.${links}`}) AS link
    WHERE link.type = 'text' AND link.atom <> ''
      AND NOT (link.path = ${`$.${path}`} AND link.atom = ${id})
  )`
}

const isDeleted = (reference: Reference) => erasureEffect(reference) === 'delete'

/** Returns the effect of an erasure on records with this reference. Throws if none is defined. */
export function erasureEffect({ from }: Reference): ErasureEffect {
  const effect = effects[from]
  if (effect === undefined) throw new Error(`No effect of an erasure on ${from} is defined.`)
  return effect
}

const selectKeys = (rows: SQL) => sql`SELECT collection, id FROM records WHERE row IN (${rows})`

const exists = (query: SQL) => sql`EXISTS (${query})`

const all = (conditions: readonly SQL[]) => sql`(${sql.join([...conditions], sql` AND `)})`

const any = (conditions: readonly SQL[]) => sql`(${sql.join([...conditions], sql` OR `)})`
