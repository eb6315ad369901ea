import { sql } from 'drizzle-orm/sql'
import { json } from '../columns.ts'
import type { Store } from '../store.ts'
import { referencingRows } from '../write/referrers.ts'

/** The sign-up behind a member's booking. `contact` is null if somebody else signed the member up. */
export type PersonSignUp = {
  bookingId: string
  contact: { name: string; email: string } | null
  answers: Record<string, unknown>
  questionAnswers: Record<string, string>
}

const memberReference = { from: 'bookings', path: 'memberId', to: 'members' }

/** Reads the sign-ups behind a member's bookings. */
export async function readPersonSignUps(store: Store, memberId: string): Promise<PersonSignUp[]> {
  const { organisationId } = store
  const { rows } = await store.select({
    rows: {
      columns: {
        signUp: json<PersonSignUp>(sql`json_object(
        'bookingId', booking_id,
        'contact', iif(
          contact ->> '$.name' = document ->> '$.userName',
          json_object('name', contact ->> '$.name', 'email', contact ->> '$.email'), NULL
        ),
        'answers', json(answers), 'questionAnswers', json(question_answers)
      )`),
      },
      from: sql`FROM (${referencingRows(organisationId, memberReference, memberId)}) AS booking
      CROSS JOIN records USING (row)
      CROSS JOIN sign_ups ON sign_ups.organisation_id = records.organisation_id
        AND booking_id = records.id
      ORDER BY records.ordinal`,
    },
  })
  return rows.map(({ signUp }) => signUp)
}
