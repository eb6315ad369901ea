import { type SQL, sql } from 'drizzle-orm/sql'
import type { ChangeSource } from '../../model/author.ts'
import { flag, optional, text } from '../columns.ts'
import { ofCollection, ofOrganisation, ofRecord, recordExists } from '../fragments.ts'
import { type StoredRecord, schemaColumn, storedRecordColumns } from '../read/single.ts'
import { type UniqueValue, uniqueValueOwners } from '../read/unique-values.ts'
import type { Store } from '../store.ts'
import { reasons } from '../terms.ts'
import { replaceDocuments } from '../version.ts'
import { type IdempotentRequest, storedResponse, storeResponse } from '../write/idempotency.ts'
import { type NewDocument, putDocuments } from '../write/put.ts'
import { attendedCount, registerEvent } from './event-bookings.ts'
import { isSeries } from './series.ts'

const permissions = ['take-registers'] as const

/** What a mark on the register depends on. Documents, answers and statuses are JSON texts. */
type StateBeforeMark = {
  booking: StoredRecord | undefined
  /** The event of the register; without a start if it does not exist. */
  event: { start: string | undefined; isSeries: boolean }
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
  request?: IdempotentRequest,
): Promise<StateBeforeMark> {
  const { organisationId } = store
  const isBooking = sql`${ofOrganisation(store)} AND booking_id = ${bookingId}`
  const statuses = sql`(SELECT json_object('orgStatus', org_status, 'attending', json(iif(attending, 'true', 'false')))
    FROM attendance_marks WHERE ${isBooking})`
  const { head, rows } = await store.select({
    head: {
      schema: optional(text(schemaColumn(organisationId, 'members'))),
      answers: optional(text(sql`(SELECT answers FROM sign_ups WHERE ${isBooking})`)),
      before: optional(text(statuses)),
      response: optional(text(request ? storedResponse(request) : sql`NULL`)),
    },
    rows: {
      columns: {
        ...storedRecordColumns('booking'),
        start: optional(text(sql`event.document ->> '$.start'`)),
        isSeries: flag(isSeries(organisationId, sql`event.id`)),
      },
      from: sql`FROM records AS booking LEFT JOIN records AS event
          ON ${ofCollection(store, 'events', 'event')} AND event.id = ${registerEvent('booking')}
        WHERE ${ofRecord(store, { collection: 'bookings', id: bookingId }, 'booking')}`,
    },
    permissions,
    collection: 'bookings',
  })
  const [booking] = rows
  const { start, isSeries: hasDates = false } = booking ?? {}
  return { ...head, booking, event: { start, isSeries: hasDates } }
}

/** A mark on the register, with the member that it creates or links. */
type Mark = {
  /** The booking's new document, and its version; null for a new booking. */
  booking: NewDocument & { version: number | null }
  /** The event of the register. */
  eventId: string
  /** Whether to set the event's `attendees` to the number of marks. */
  countsAttendees: boolean
  /** Whether this removes the mark of a booking. */
  isRemoved?: boolean
  /** The member to create. */
  newMember: NewDocument | undefined
  /** How the new member came. */
  source: ChangeSource
  /** The new member's values of unique fields. */
  unique: readonly UniqueValue[]
  /** The id of the existing member to link. */
  linkedMemberId?: string | undefined
  /** The answers of a new booking, kept until staff choose its member. */
  signUp?: NewSignUp | undefined
  request: { digests: IdempotentRequest; response: string } | undefined
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
  const { booking, eventId, newMember, source, unique, linkedMemberId, signUp, request } = mark
  const { organisationId, credential } = store
  const { author } = credential
  const members = { organisationId, collection: 'members' }
  const ofBooking = sql`collection = 'bookings' AND id = ${booking.id} AND ${ofOrganisation({ organisationId })}`
  const { refused } = await store.write(
    {
      permissions,
      collection: 'bookings',
      unless: {
        changed:
          booking.version === null
            ? undefined
            : sql`NOT EXISTS (SELECT 1 FROM records WHERE ${ofBooking} AND version = ${booking.version})`,
        taken: reasons<UniqueValue>(
          sql`SELECT json_object('field', field, 'value', value) AS item
            FROM (${uniqueValueOwners(members, unique)})`,
          { isJson: true },
        ),
        missing: linkedMemberId
          ? sql`NOT ${recordExists(store, 'members', linkedMemberId)}`
          : undefined,
      },
    },
    [
      ...(request
        ? storeResponse(organisationId, request.digests, {
            id: booking.id,
            text: request.response,
          })
        : []),
      ...(mark.isRemoved ? [] : [saveStatuses(organisationId, ofBooking)]),
      ...(newMember ? [putDocuments(members, [newMember], { ...author, ...source })] : []),
      putDocuments({ organisationId, collection: 'bookings' }, [booking], author),
      ...(signUp ? [insertSignUp(organisationId, booking.id, eventId, signUp)] : []),
      ...(mark.countsAttendees ? [countAttendees(store, eventId)] : []),
    ],
  )
  return {
    isChanged: refused?.changed ?? false,
    taken: refused?.taken ?? [],
    isMissing: refused?.missing ?? false,
  }
}

/** SQL that counts an event's attendees. */
const countAttendees = ({ organisationId, credential }: Store, eventId: string): SQL =>
  replaceDocuments(
    credential.author,
    sql`collection = 'events' AND records.id = ${eventId} AND ${ofOrganisation({ organisationId })}`,
    sql`json_set(records.document, '$.attendees', ${attendedCount(organisationId, eventId)})`,
    { isSingle: true },
  )

/** SQL that saves the statuses of a booking without a mark. */
const saveStatuses = (organisationId: string, ofBooking: SQL) => sql`
  INSERT INTO attendance_marks (organisation_id, booking_id, org_status, attending)
  SELECT ${organisationId}, id, document ->> '$.orgStatus', document ->> '$.attending' FROM records
  WHERE ${ofBooking} AND document ->> '$.orgStatus' NOT IN ('attended', 'absent')
  ON CONFLICT DO UPDATE SET org_status = excluded.org_status, attending = excluded.attending`

/** SQL that keeps the answers of a new booking. */
const insertSignUp = (
  organisationId: string,
  bookingId: string,
  eventId: string,
  { personHash, contact, answers, deleteAfter }: NewSignUp,
) => sql`
  INSERT INTO sign_ups (
    organisation_id, booking_id, event_id, person_hash, contact, answers, question_answers, delete_after
  )
  VALUES (${organisationId}, ${bookingId}, ${eventId}, ${personHash}, ${contact}, ${answers}, '{}', ${deleteAfter})`
