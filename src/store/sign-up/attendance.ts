import { type SQL, sql } from 'drizzle-orm/sql'
import { hasPermissions } from '../../access/credential.ts'
import { type StoredRecord, schemaColumn, textOrUndefined, toStoredRecord } from '../read/single.ts'
import { type UniqueValue, uniqueValueOwners } from '../read/unique-values.ts'
import { hasWebhooks, type Store } from '../store.ts'
import { replaceDocuments } from '../version.ts'
import { type IdempotentRequest, storedResponse, storeResponse } from '../write/idempotency.ts'
import { type NewDocument, putDocuments } from '../write/put.ts'
import { attendedCount } from './event-bookings.ts'

const permissions = ['take-registers'] as const

/** What a mark on the register depends on. Documents, answers and statuses are JSON texts. */
type StateBeforeMark = {
  booking: StoredRecord | undefined
  /** The schema of the members. */
  schema: string | undefined
  /** The answers of the sign-up. */
  answers: string | undefined
  /** The statuses before the first mark: `orgStatus` and `attending`. */
  before: string | undefined
  response: string | undefined
}

/** Reads a booking with its sign-up, before it is marked. */
export async function readBeforeMark(
  store: Store,
  bookingId: string,
  request: IdempotentRequest | undefined,
): Promise<StateBeforeMark> {
  const { organisationId } = store
  const isBooking = sql`organisation_id = ${organisationId} AND booking_id = ${bookingId}`
  const { head, rows } = await store.read(
    {
      schema: schemaColumn(organisationId, 'members'),
      answers: sql`(SELECT answers FROM sign_ups WHERE ${isBooking})`,
      before: sql`(SELECT json_object('orgStatus', org_status, 'attending', json(iif(attending, 'true', 'false')))
        FROM attendance_marks WHERE ${isBooking})`,
      response: request ? storedResponse(request) : sql`NULL`,
    },
    {
      columns: ['document', 'version', 'changed'],
      rows: sql`SELECT document, version, changed FROM records
        WHERE collection = 'bookings' AND id = ${bookingId} AND organisation_id = ${organisationId}`,
    },
    { permissions, collection: 'bookings' },
  )
  return {
    booking: rows[0] && toStoredRecord(rows[0]),
    schema: textOrUndefined(head.schema),
    answers: textOrUndefined(head.answers),
    before: textOrUndefined(head.before),
    response: textOrUndefined(head.response),
  }
}

/** A mark on the register, with the member that it creates or links. */
type Mark = {
  /** The booking's new document, and its version; null for a new booking. */
  booking: NewDocument & { version: number | null }
  /** The event of the register. */
  eventId: string
  /** Whether to count the event's `attendees`. */
  counts: boolean
  /** Whether the mark is taken back. */
  isUndone: boolean
  /** The member to create. */
  member: NewDocument | undefined
  /** The new member's values of unique fields. */
  unique: readonly UniqueValue[]
  /** An existing member to link. */
  linked: string | undefined
  /** The answers of a new booking, kept until staff choose its member. */
  signUp: NewSignUp | undefined
  request: { repeatable: IdempotentRequest; response: string } | undefined
}

/** The row of a booking in `sign_ups`; `contact` and `answers` are JSON texts. */
type NewSignUp = {
  personHash: string
  contact: string
  answers: string
  deleteAfter: string
}

/** The state that a mark found in its transaction. */
type MarkResult = {
  /** Whether the booking changed after it was read. */
  isChanged: boolean
  /** Unique values that another member has. */
  taken: UniqueValue[]
  /** Whether the member to link does not exist. */
  isMissing: boolean
}

/**
 * Marks a booking in one transaction with its new member and the event's number of attendees. Writes
 * nothing if the result shows an obstacle.
 */
export async function commitMark(store: Store, mark: Mark): Promise<MarkResult> {
  const { booking, eventId, counts, isUndone, member, unique, linked, signUp, request } = mark
  const { organisationId, credential } = store
  const { author } = credential
  const members = { organisationId, collection: 'members' }
  const ofBooking = sql`collection = 'bookings' AND id = ${booking.id} AND organisation_id = ${organisationId}`
  // Statements after the booking's update check again, so its new document also counts as unchanged.
  const isUnchanged =
    booking.version === null
      ? sql`true`
      : sql`EXISTS (SELECT 1 FROM records WHERE ${ofBooking}
          AND (version = ${booking.version} OR document = ${booking.document}))`
  // The new member has its values already when the statements after it check again.
  const taken = sql`SELECT field, value FROM (${uniqueValueOwners(members, unique)})
    WHERE id <> ${member?.id ?? ''}`
  const isMissing = linked
    ? sql`NOT EXISTS (SELECT 1 FROM records
        WHERE collection = 'members' AND id = ${linked} AND organisation_id = ${organisationId})`
    : sql`false`
  const condition = sql`${hasPermissions(credential, permissions)} AND ${isUnchanged}
    AND NOT EXISTS (${taken}) AND NOT ${isMissing}`
  const { head } = await store.transact(
    { permissions, collection: 'bookings' },
    {
      ...{ followed: hasWebhooks(organisationId), unchanged: isUnchanged, missing: isMissing },
      taken: sql`(SELECT json_group_array(json_object('field', field, 'value', value)) FROM (${taken}))`,
    },
    [
      ...(request
        ? storeResponse(
            organisationId,
            request.repeatable,
            { id: booking.id, text: request.response },
            condition,
          )
        : []),
      ...(isUndone ? [] : [saveStatuses(organisationId, ofBooking, condition)]),
      ...(member ? [putDocuments(members, [member], author, condition)] : []),
      putDocuments({ organisationId, collection: 'bookings' }, [booking], author, condition),
      ...(signUp ? [insertSignUp(organisationId, booking.id, eventId, signUp, condition)] : []),
      ...(counts ? [countAttendees(store, eventId, condition)] : []),
    ],
  )
  return {
    isChanged: head.unchanged !== 1,
    taken: JSON.parse(String(head.taken)),
    isMissing: head.missing === 1,
  }
}

/** Returns SQL that counts an event's attendees. */
const countAttendees = (
  { organisationId, credential }: Store,
  eventId: string,
  condition: SQL,
): SQL =>
  replaceDocuments(
    credential.author,
    sql`collection = 'events' AND records.id = ${eventId} AND organisation_id = ${organisationId}
      AND ${condition}`,
    sql`json_set(records.document, '$.attendees', ${attendedCount(organisationId, eventId)})`,
    { isSingle: true },
  )

/** Returns SQL that saves the statuses of a booking without a mark. */
const saveStatuses = (organisationId: string, ofBooking: SQL, condition: SQL) => sql`
  INSERT INTO attendance_marks (organisation_id, booking_id, org_status, attending)
  SELECT ${organisationId}, id, document ->> '$.orgStatus', document ->> '$.attending' FROM records
  WHERE ${ofBooking} AND document ->> '$.orgStatus' NOT IN ('attended', 'absent') AND ${condition}
  ON CONFLICT DO UPDATE SET org_status = excluded.org_status, attending = excluded.attending`

/** Returns SQL that keeps the answers of a new booking. */
const insertSignUp = (
  organisationId: string,
  bookingId: string,
  eventId: string,
  { personHash, contact, answers, deleteAfter }: NewSignUp,
  condition: SQL,
) => sql`
  INSERT INTO sign_ups (
    organisation_id, booking_id, event_id, person_hash, contact, answers, question_answers, delete_after
  )
  SELECT ${organisationId}, ${bookingId}, ${eventId}, ${personHash}, ${contact}, ${answers}, '{}', ${deleteAfter}
  WHERE ${condition}`
