import { sql } from 'drizzle-orm/sql'
import { bookingWithoutPerson } from '../../model/properties/personal-data.ts'
import { isSettledHere } from '../databases.ts'
import { ofOrganisation } from '../fragments.ts'
import { statement } from '../statement.ts'
import type { Store } from '../store.ts'
import { replaceDocuments } from '../version.ts'
import { deleteVersions } from '../write/previous-versions.ts'

const maxSignUps = 50

/** A sign-up with data to delete. `start` and `end` are the event's, or the booking's without an event. */
export type OldSignUp = {
  organisationId: string
  bookingId: string
  start: string | null
  end: string | null
  /** JSON */
  questions: string
  questionAnswers: string
}

/** Finds the sign-ups of all organisations with data to delete before `day`. */
export async function findOldSignUps(DB: D1Database, day: string): Promise<OldSignUp[]> {
  const { results } = await statement(
    DB,
    sql`SELECT sign_ups.organisation_id AS organisationId, booking_id AS bookingId,
        coalesce(event.document, booking.document) ->> '$.start' AS start,
        coalesce(event.document, booking.document) ->> '$.end' AS "end",
        coalesce(own.questions, series.questions, '[]') AS questions,
        question_answers AS questionAnswers
      FROM sign_ups
      CROSS JOIN records AS booking ON booking.collection = 'bookings'
        AND booking.id = booking_id AND booking.organisation_id = sign_ups.organisation_id
      LEFT JOIN records AS event ON event.collection = 'events'
        AND event.id = sign_ups.event_id AND event.organisation_id = sign_ups.organisation_id
      LEFT JOIN event_questions AS own ON own.organisation_id = sign_ups.organisation_id
        AND own.event_id = sign_ups.event_id
      LEFT JOIN event_questions AS series ON series.organisation_id = sign_ups.organisation_id
        AND series.event_id = event.document ->> '$.parentEventId'
      WHERE delete_after < ${day} AND ${isSettledHere(sql`sign_ups.organisation_id`)}
      ORDER BY delete_after LIMIT ${maxSignUps}`,
  ).all<OldSignUp>()
  return results
}

/** Deletes answers to an event's questions, and sets the next day of a deletion. */
export async function deleteQuestionAnswers(
  store: Store,
  bookingId: string,
  { questionIds, deleteAfter }: { questionIds: readonly string[]; deleteAfter: string },
): Promise<void> {
  const { organisationId } = store
  await store.write({ permissions: ['write'], isInternal: true }, [
    sql`UPDATE sign_ups SET delete_after = ${deleteAfter}, question_answers = (
        SELECT json_group_object(key, value) FROM json_each(question_answers)
        WHERE key NOT IN (SELECT value FROM json_each(${JSON.stringify(questionIds)}))
      )
      WHERE ${ofOrganisation({ organisationId })} AND booking_id = ${bookingId}`,
  ])
}

/** Deletes a sign-up with its links. A booking without a member loses the person's details. */
export async function deleteSignUp(store: Store, bookingId: string): Promise<void> {
  const { organisationId, credential } = store
  const values = Object.entries(bookingWithoutPerson).map(
    ([name, value]) => sql`${`$.${name}`}, ${value}`,
  )
  await store.write({ permissions: ['write'] }, [
    sql`DELETE FROM sign_ups
      WHERE ${ofOrganisation({ organisationId })} AND booking_id = ${bookingId}`,
    replaceDocuments(
      credential.author,
      sql`collection = 'bookings' AND records.id = ${bookingId}
        AND ${ofOrganisation({ organisationId })} AND document ->> '$.memberId' = ''`,
      sql`json_set(records.document, '$.userStatus', iif(
          records.document ->> '$.userStatus' = 'waiting', 'lapsed',
          records.document ->> '$.userStatus'
        ), ${sql.join(values, sql`, `)})`,
      { isSingle: true },
    ),
    deleteVersions(
      organisationId,
      sql`SELECT collection, id FROM records WHERE collection = 'bookings' AND id = ${bookingId}
        AND ${ofOrganisation({ organisationId })} AND document ->> '$.memberId' = ''`,
    ),
  ])
}
