import { sql } from 'drizzle-orm/sql'
import { ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'
import { replaceDocuments } from '../version.ts'
import { selectLive } from './write-sign-up.ts'

type AttendeeChange = {
  bookingId: string
  eventId: string
  /** The states of `userStatus` in which the person can be changed. */
  from: readonly string[]
  /** The digest by which the new person has one booking; undefined to compare with nobody. */
  personHash: string | undefined
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
    AND ${ofOrganisation({ organisationId })}`
  const values = Object.entries({ ...set, updated: new Date().toISOString() }).map(
    ([name, value]) => sql`${`$.${name}`}, ${value}`,
  )
  const hash = personHash ?? null
  const { refused } = await store.write(
    {
      permissions: ['write'],
      unless: {
        unchangeable: sql`NOT EXISTS (
          SELECT 1 FROM records WHERE ${isBooking} AND document ->> '$.orgStatus' = ''
            AND document ->> '$.userStatus' IN (SELECT value FROM json_each(${JSON.stringify(from)}))
        )`,
        taken: sql`EXISTS (
          SELECT 1 FROM (${selectLive(organisationId, eventId, personHash ? [personHash] : [])})
          WHERE item ->> '$.bookingId' <> ${bookingId}
        )`,
      },
    },
    [
      // The person may have given up another place.
      sql`UPDATE sign_ups SET person_hash = booking_id
        WHERE ${ofOrganisation({ organisationId })} AND event_id = ${eventId}
          AND person_hash = ${hash} AND booking_id <> ${bookingId}`,
      sql`UPDATE sign_ups SET person_hash = ifnull(${hash}, person_hash),
          answers = ${JSON.stringify(answers)}, question_answers = ${JSON.stringify(questionAnswers)}
        WHERE ${ofOrganisation({ organisationId })} AND booking_id = ${bookingId}`,
      replaceDocuments(
        credential.author,
        isBooking,
        sql`json_set(records.document, ${sql.join(values, sql`, `)})`,
        { isWrite: true, isSingle: true },
      ),
    ],
  )
  if (refused?.unchangeable) return 'unchangeable'
  return refused ? 'taken' : 'changed'
}
