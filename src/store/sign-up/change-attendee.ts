import { sql } from 'drizzle-orm/sql'
import { hasPermissions } from '../../access/credential.ts'
import { hasWebhooks, type Store } from '../store.ts'
import { replaceDocuments } from '../version.ts'
import { selectLive } from './write-sign-up.ts'

type AttendeeChange = {
  bookingId: string
  eventId: string
  /** The states of `userStatus` in which the person can be changed. */
  from: readonly string[]
  personHash: string
  answers: Record<string, unknown>
  questionAnswers: Record<string, string>
  /** The properties of the booking to set. */
  set: Readonly<Record<string, string>>
}

/**
 * Changes the person of a booking. Returns `changed`, `taken` if the new person has another booking
 * for the event, or `unchangeable` in another state.
 */
export async function commitAttendee(
  store: Store,
  { bookingId, eventId, from, personHash, answers, questionAnswers, set }: AttendeeChange,
): Promise<'changed' | 'taken' | 'unchangeable'> {
  const { organisationId, credential } = store
  const isBooking = sql`collection = 'bookings' AND records.id = ${bookingId}
    AND organisation_id = ${organisationId}`
  const isChangeable = sql`EXISTS (
    SELECT 1 FROM records WHERE ${isBooking} AND document ->> '$.orgStatus' = ''
      AND document ->> '$.userStatus' IN (SELECT value FROM json_each(${JSON.stringify(from)}))
  )`
  const isTaken = sql`EXISTS (
    SELECT 1 FROM (${selectLive(organisationId, eventId, [personHash])})
    WHERE item ->> '$.bookingId' <> ${bookingId}
  )`
  const condition = sql`${hasPermissions(credential, ['write'])} AND ${isChangeable}
    AND NOT ${isTaken}`
  const values = Object.entries({ ...set, updated: new Date().toISOString() }).map(
    ([name, value]) => sql`${`$.${name}`}, ${value}`,
  )
  const ofPerson = sql`organisation_id = ${organisationId} AND event_id = ${eventId}
    AND person_hash = ${personHash} AND booking_id <> ${bookingId}`
  const { head } = await store.transact(
    { permissions: ['write'] },
    { followed: hasWebhooks(organisationId), changeable: isChangeable, taken: isTaken },
    [
      // The person may have given up another place.
      sql`UPDATE sign_ups SET person_hash = booking_id WHERE ${ofPerson} AND ${condition}`,
      sql`UPDATE sign_ups SET person_hash = ${personHash}, answers = ${JSON.stringify(answers)},
          question_answers = ${JSON.stringify(questionAnswers)}
        WHERE organisation_id = ${organisationId} AND booking_id = ${bookingId} AND ${condition}`,
      replaceDocuments(
        credential.author,
        sql`${isBooking} AND ${condition}`,
        sql`json_set(records.document, ${sql.join(values, sql`, `)})`,
        { isWrite: true, isSingle: true },
      ),
    ],
  )
  if (head.changeable !== 1) return 'unchangeable'
  return head.taken === 1 ? 'taken' : 'changed'
}
