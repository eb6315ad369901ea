import { sql } from 'drizzle-orm/sql'
import { indexedText } from '../bitmap/bits.ts'
import { flag, optional, text } from '../columns.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'
import { registerEvent } from './event-bookings.ts'
import { isWaiting } from './places.ts'
import { formColumns, type StoredSignUpForm } from './read-event.ts'

/** An event's bookings with their sign-ups and members. Documents, contacts and answers are JSON texts. */
export type StoredRegister = {
  form: StoredSignUpForm
  bookings: {
    id: string
    document: string
    contact: string | undefined
    /** The answers to the sign-up form by field of the members' schema. */
    answers: string | undefined
    questionAnswers: string | undefined
    /** The time when the place falls free, unless the person confirms or accepts it. */
    heldUntil: string | undefined
    /** Whether it waits for a place, or can get one when its address is confirmed. */
    waits: boolean
    member: string | undefined
  }[]
}

export const maxRegisterBookings = 1000

/** Reads the register of an event, or those of some dates of a series, in order of arrival. Requires `take-registers`. */
export async function readStoredRegister(
  store: Store,
  eventId: string,
  dateIds: readonly string[] = [eventId],
): Promise<StoredRegister> {
  const { organisationId } = store
  const ids = sql`json_each(${JSON.stringify(dateIds)})`
  const { head: form, rows: bookings } = await store.select({
    head: formColumns(store, eventId),
    rows: {
      columns: {
        id: text(sql`records.id`),
        document: text(sql`records.document`),
        contact: optional(text(sql`sign_ups.contact`)),
        answers: optional(text(sql`sign_ups.answers`)),
        questionAnswers: optional(text(sql`sign_ups.question_answers`)),
        heldUntil: optional(text(sql`sign_ups.held_until`)),
        waits: flag(
          sql`${isWaiting} OR sign_ups.booking_id IS NOT NULL AND records.document ->> '$.userStatus' = 'pending'`,
        ),
        member: optional(text(sql`member.document`)),
      },
      // A booking for an occurrence names its series as the event. The ordinals are sorted before the join: sorted
      // after it, the records of all bookings would be read to find the first ones.
      from: sql`FROM (
          SELECT DISTINCT ordinal FROM ${ids} AS item CROSS JOIN terms
          CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
          WHERE ${ofCollection({ organisationId }, 'bookings', 'terms')}
            AND terms.field IN ('eventId', 'childEventId') AND terms.value = ${indexedText(sql`item.value`)}
          ORDER BY ordinal
        ) AS booked
        CROSS JOIN records ON ${ofCollection({ organisationId }, 'bookings')} AND records.ordinal = booked.ordinal
        LEFT JOIN sign_ups ON ${ofOrganisation({ organisationId }, 'sign_ups')}
          AND sign_ups.booking_id = records.id
        LEFT JOIN records AS member ON member.collection = 'members'
          AND member.id = records.member_id AND ${ofOrganisation({ organisationId }, 'member')}
        WHERE ${registerEvent('records')} IN (SELECT value FROM ${ids})
        LIMIT ${sql.raw(String(maxRegisterBookings))}`,
    },
    permissions: ['take-registers'],
  })
  return { form, bookings }
}
