import { sql } from 'drizzle-orm/sql'
import type { Kind } from '../../model/properties/schema.ts'
import { json } from '../columns.ts'
import type { Store } from '../store.ts'
import { fromSignUpsForOthers } from '../write/erase-contact.ts'
import { referencingRows } from '../write/referrers.ts'

/**
 * The sign-up behind a booking. `contact` is null if somebody else signed the member up. A sign-up that the person
 * made for somebody else has only its contact: the answers are about the other person.
 */
export type PersonSignUp = {
  bookingId: string
  contact: { name: string; email: string } | null
  answers: Record<string, unknown>
  questionAnswers: Record<string, string>
}

const memberReference = { from: 'bookings', path: 'memberId', to: 'members' }

/** Reads the sign-ups behind the bookings of a member, then those of others with one of the person's addresses as contact. */
export async function readPersonSignUps(
  store: Store,
  person: { kind: Kind; id: string; emails: readonly string[] },
): Promise<PersonSignUp[]> {
  const { organisationId } = store
  const contact = sql`json_object('name', contact ->> '$.name', 'email', contact ->> '$.email')`
  const own = sql`SELECT 0 AS is_for_others, records.ordinal, json_object(
      'bookingId', booking_id,
      'contact', iif(contact ->> '$.name' = document ->> '$.userName', ${contact}, NULL),
      'answers', json(answers), 'questionAnswers', json(question_answers)
    ) AS sign_up
    FROM (${referencingRows(organisationId, memberReference, person.id)}) AS booking
    CROSS JOIN records USING (row)
    CROSS JOIN sign_ups ON sign_ups.organisation_id = records.organisation_id
      AND booking_id = records.id`
  const forOthers = sql`SELECT 1 AS is_for_others, records.ordinal, json_object(
      'bookingId', booking_id, 'contact', ${contact},
      'answers', json('{}'), 'questionAnswers', json('{}')
    ) AS sign_up
    ${fromSignUpsForOthers(organisationId, person)}`
  const parts = person.kind === 'members' ? [own, forOthers] : [forOthers]
  const { rows } = await store.select({
    rows: {
      columns: { signUp: json<PersonSignUp>(sql`sign_up`) },
      from: sql`FROM (${sql.join(parts, sql` UNION ALL `)}) ORDER BY is_for_others, ordinal`,
    },
  })
  return rows.map(({ signUp }) => signUp)
}
