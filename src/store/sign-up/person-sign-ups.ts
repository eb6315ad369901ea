import { sql } from 'drizzle-orm/sql'
import { json } from '../columns.ts'
import type { Store } from '../store.ts'
import { fromSignUpsForOthers } from '../write/erase-contact.ts'
import { referencingRows } from '../write/referrers.ts'

/**
 * The sign-up behind a booking. `contact` is null if somebody else signed the member up. A sign-up that the member
 * made for somebody else has only its contact: the answers are about the other person.
 */
export type PersonSignUp = {
  bookingId: string
  contact: { name: string; email: string } | null
  answers: Record<string, unknown>
  questionAnswers: Record<string, string>
}

const memberReference = { from: 'bookings', path: 'memberId', to: 'members' }

/** Reads the sign-ups behind a member's bookings, then those of others with one of the member's addresses as contact. */
export async function readPersonSignUps(
  store: Store,
  memberId: string,
  emails: readonly string[],
): Promise<PersonSignUp[]> {
  const { organisationId } = store
  const contact = sql`json_object('name', contact ->> '$.name', 'email', contact ->> '$.email')`
  const { rows } = await store.select({
    rows: {
      columns: { signUp: json<PersonSignUp>(sql`sign_up`) },
      from: sql`FROM (
        SELECT 0 AS is_for_others, records.ordinal, json_object(
          'bookingId', booking_id,
          'contact', iif(contact ->> '$.name' = document ->> '$.userName', ${contact}, NULL),
          'answers', json(answers), 'questionAnswers', json(question_answers)
        ) AS sign_up
        FROM (${referencingRows(organisationId, memberReference, memberId)}) AS booking
        CROSS JOIN records USING (row)
        CROSS JOIN sign_ups ON sign_ups.organisation_id = records.organisation_id
          AND booking_id = records.id
        UNION ALL
        SELECT 1, records.ordinal, json_object(
          'bookingId', booking_id, 'contact', ${contact},
          'answers', json('{}'), 'questionAnswers', json('{}')
        )
        ${fromSignUpsForOthers(organisationId, { personId: memberId, emails })}
      ) ORDER BY is_for_others, ordinal`,
    },
  })
  return rows.map(({ signUp }) => signUp)
}
