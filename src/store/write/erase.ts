import { type SQL, sql } from 'drizzle-orm/sql'
import type { Credential } from '../../access/credential.ts'
import {
  isCleared,
  type PersonalDataRule,
  type PersonLink,
  personalDataRules,
} from '../../model/properties/personal-data.ts'
import { kinds } from '../../model/properties/schema.ts'
import { auditInserts, nameActor } from '../audit-entry.ts'
import { decodeRows, integer, json, nullable, selectColumns } from '../columns.ts'
import { ofOrganisation, ofRecord } from '../fragments.ts'
import type { Store } from '../store.ts'
import { replaceDocuments } from '../version.ts'
import { documentWithoutReference, hasVersion } from './delete.ts'
import { eraseContact } from './erase-contact.ts'
import { eraseFromTexts, eraseInvitations, eraseMessagesOfBookings } from './erase-messages.ts'
import type { PersonLinks } from './person-links.ts'
import {
  candidateColumns,
  canErase,
  chooseStep,
  type Erasure,
  type ErasureStep,
  requireErasure,
  selectCandidates,
  selectVersions,
} from './preview-erasure.ts'
import {
  deleteFileNames,
  deletePersonVersions,
  deleteVersions,
  deleteVersionsWithDetails,
} from './previous-versions.ts'
import { linkedRows, refersTo } from './referrers.ts'

/** The result of one erasure step. */
type ErasureStepResult = {
  /** The version of the person's record before the step, or null. */
  version: number | null
  /** The step's records that also concern other people and stay without the link or detail. */
  shared: [collection: string, id: string][]
  /** The next step; undefined if no data of the person is left. */
  next: ErasureStep | undefined
}

/**
 * Runs one erasure step in one transaction; throws 403 if the credential may not erase. Deletes the
 * person's own record last, so that an interrupted erasure can resume.
 *
 * The erasure also deletes the person's history and index entries, and clears webhook responses to messages
 * about these records; the row in `deletions` stays.
 */
export async function runErasureStep(
  store: Store,
  { kind, id, versions }: Erasure,
  found: PersonLinks,
  { rows, othersRows, lastOrdinals, isLast }: ErasureStep,
): Promise<ErasureStepResult> {
  const { organisationId, credential } = store
  const { links } = found
  const root = ofRecord(store, { collection: kind, id })
  // Other requests may have changed or deleted these records since the last step.
  const select = (link: PersonLink, rows: readonly number[] = []) =>
    sql`SELECT records.row FROM json_each(${JSON.stringify(rows)}) AS item
      CROSS JOIN records ON records.row = item.value
      WHERE ${ofOrganisation({ organisationId })} AND collection = ${link.from}
        AND ${refersTo(link, link.value)}`
  const steps = links.flatMap((link, index) =>
    rows[index]?.length ? [{ link, rows: select(link, rows[index]) }] : [],
  )
  const others = links.flatMap((link, index) =>
    othersRows[index]?.length ? [{ link, rows: select(link, othersRows[index]) }] : [],
  )
  const changed = [...rows, ...othersRows].flat()
  const keys = selectKeysOf(organisationId, changed)
  const about = sql`SELECT ${kind} AS collection, ${id} AS id UNION ALL ${keys}`
  const shared = sql`${selectKeysOf(organisationId, othersRows.flat())}
    ${sql.join(
      steps
        .filter(({ link }) => isDeleted(link))
        .map(
          (step) => sql`UNION ALL SELECT * FROM (
            SELECT collection, id FROM records
            WHERE row IN (${step.rows}) AND ${isShared(step.link)} ORDER BY row
          )`,
        ),
      sql` `,
    )}`
  const linked = linkedRows(organisationId, links.filter(isCleared))
  const isLeft = any(
    [
      sql`SELECT 1 FROM records WHERE ${root}`,
      selectVersions(organisationId, kind, id),
      linked,
    ].map(exists),
  )
  const isRest = sql`NOT EXISTS (
    SELECT 1 FROM (${linked}) AS linked
    WHERE row NOT IN (SELECT value FROM json_each(${JSON.stringify(changed)}))
  )`
  const last = [
    deletePersonVersions(organisationId, kind, id),
    ...deleteVersionsWithDetails(organisationId, found.spellings),
    ...eraseContact(organisationId, found),
    eraseInvitations(organisationId, { kind, id }),
    ...eraseFromTexts(organisationId, found),
    ...eraseRecords(
      credential,
      sql`SELECT row FROM records WHERE ${root}`,
      sql`NOT ${exists(linked)}`,
      // The history may outlast the record.
      sql`SELECT ${kind}, ${id}`,
    ),
    sql`SELECT NULL AS link WHERE ${any([sql`SELECT 1 FROM records WHERE ${root}`, linked].map(exists))}`,
  ]
  const entry = {
    organisationId,
    actor: nameActor(credential.author),
    action: 'person.erased',
    detail: kinds[kind].singular,
    target: id,
  } as const
  const candidates = selectCandidates(organisationId, found, lastOrdinals)
  const written = await store.write(
    {
      permissions: ['write'],
      collection: kind,
      unless: {
        forbidden: sql`NOT ${canErase(credential)}`,
        changed: sql`NOT ${hasVersion(versions, root)}`,
      },
      returns: {
        version: nullable(integer(sql`(SELECT version FROM records WHERE ${root})`)),
        shared: json<ErasureStepResult['shared']>(
          sql`(SELECT json_group_array(json_array(collection, id)) FROM (${shared}))`,
        ),
      },
    },
    [
      ...(isLast ? [auditInserts(entry, sql`WHERE ${isRest} AND ${isLeft}`)] : []),
      sql`UPDATE webhook_attempts SET response = ''
      WHERE (webhook_id, attempted, message_id) IN (
        SELECT attempt.webhook_id, attempt.attempted, attempt.message_id
        FROM (${about}) AS about
        CROSS JOIN webhooks ON ${ofOrganisation({ organisationId }, 'webhooks')}
        CROSS JOIN webhook_attempts AS attempt INDEXED BY webhook_attempts_with_response
          ON attempt.webhook_id = webhooks.id
          AND attempt.collection = about.collection AND attempt.record_id = about.id
          AND attempt.response <> ''
      )`,
      deleteFileNames(organisationId, about),
      ...steps.flatMap((step) => changeOwn(credential, step)),
      ...others.map(({ link, rows }) => removeLink(credential, link, rows)),
      // The documents before these changes still name the person.
      deleteVersions(organisationId, keys),
      ...(isLast ? last : [sql`SELECT ${selectColumns(candidateColumns)} ${candidates.from}`]),
    ],
  )
  requireErasure(store, !written.refused?.forbidden)
  // A record written during the erasure may have any ordinal, so the next step starts at 0.
  const restart = { ...chooseStep([], found), isLast: false }
  const { version, shared: sharedRecords, rows: left } = written
  return {
    version,
    shared: sharedRecords,
    next: isLast
      ? left.length > 0
        ? restart
        : undefined
      : chooseStep(decodeRows(candidateColumns, left), found, lastOrdinals),
  }
}

/** SQL that erases a step's own records of the person, by the rule of their collection. */
function changeOwn(credential: Credential, { link, rows }: { link: PersonLink; rows: SQL }): SQL[] {
  const effect = erasureEffect(link)
  if (effect === 'delete')
    return [
      ...eraseRecords(credential, sql`${rows} AND NOT ${isShared(link)}`),
      removeLink(credential, link, rows),
    ]
  const cleared = { ...effect, ...(isCleared(link) && { [link.path]: '' }) }
  const values = Object.entries(cleared).map(([name, value]) => sql`${`$.${name}`}, ${value}`)
  const document = sql`json_set(records.document, ${sql.join(values, sql`, `)})`
  return [
    // The answers and links of a sign-up identify the person too.
    ...(link.from === 'bookings' ? [deleteSignUps(rows), eraseMessagesOfBookings(rows)] : []),
    replaceDocuments(credential.author, sql`records.row IN (${rows})`, document),
  ]
}

/** SQL that removes a link from records of other people. */
const removeLink = ({ author }: Credential, link: PersonLink, rows: SQL): SQL =>
  replaceDocuments(
    author,
    sql`records.row IN (${rows})`,
    documentWithoutReference(link, link.value),
  )

/**
 * SQL that deletes records and their history. Marks them first, so that the trigger
 * `history_of_deleted` adds no history.
 */
const eraseRecords = (
  { organisationId }: Credential,
  rows: SQL,
  condition: SQL = sql`true`,
  keys = selectKeys(rows),
): SQL[] => [
  sql`DELETE FROM history
    WHERE ${ofOrganisation({ organisationId })} AND (collection, id) IN (${keys}) AND ${condition}`,
  sql`UPDATE records SET changed_by = 'erased' WHERE row IN (${rows}) AND ${condition}`,
  sql`DELETE FROM records WHERE row IN (${rows}) AND ${condition}`,
]

/** SQL that deletes the sign-ups of bookings with their links. */
const deleteSignUps = (bookings: SQL) => sql`
  DELETE FROM sign_ups
  WHERE (organisation_id, booking_id) IN (
    SELECT organisation_id, id FROM records WHERE row IN (${bookings})
  )`

/** SQL that tests whether a record also links to someone else. */
const isShared = ({ path, value }: PersonLink) => {
  const [links] = path.split('.')
  return sql`EXISTS (
    SELECT 1 FROM json_tree(records.document, ${`$.${links}`}) AS link
    WHERE link.type = 'text' AND link.atom <> ''
      AND NOT (link.path = ${`$.${path}`} AND link.atom = ${value})
  )`
}

const isDeleted = (link: PersonLink) => erasureEffect(link) === 'delete'

/** The effect of an erasure on records of a collection. Throws if none is defined. */
export function erasureEffect({ from }: Pick<PersonLink, 'from'>): PersonalDataRule['erasure'] {
  const rule = personalDataRules[from]
  if (rule === undefined) throw new Error(`No effect of an erasure on ${from} is defined.`)
  return rule.erasure
}

/** SQL for the keys of rows. CROSS JOIN: SQLite would rather search the whole organisation. */
const selectKeysOf = (organisationId: string, rows: readonly number[]) =>
  sql`SELECT collection, records.id FROM json_each(${JSON.stringify(rows)}) AS item
    CROSS JOIN records ON records.row = item.value WHERE ${ofOrganisation({ organisationId })}`

const selectKeys = (rows: SQL) => sql`SELECT collection, id FROM records WHERE row IN (${rows})`

const exists = (query: SQL) => sql`EXISTS (${query})`

const any = (conditions: readonly SQL[]) => sql`(${sql.join([...conditions], sql` OR `)})`
