import { sql } from 'drizzle-orm/sql'
import { statement } from '../statement.ts'
import type { Store } from '../store.ts'
import { insertSignUpRequest, type SignUpRequest } from './sign-up-requests.ts'

/**
 * Stores a sign-up and counts its message by each of several digests, on the day of `now`. Returns false, and
 * writes nothing, if one of the counts is at its maximum.
 */
export async function acceptSignUp(
  store: Store,
  request: SignUpRequest,
  counts: readonly { hash: string; max: number }[],
  now: string,
): Promise<boolean> {
  const day = now.slice(0, 10)
  const items = sql`json_each(${JSON.stringify(counts)}) AS item`
  const { refused } = await store.write(
    {
      permissions: ['write'],
      unless: {
        tooMany: sql`EXISTS (SELECT 1 FROM ${items} CROSS JOIN sent_mail ON day = ${day}
          AND recipient_hash = item.value ->> '$.hash' WHERE count >= item.value ->> '$.max')`,
      },
      isInternal: true,
    },
    [
      sql`INSERT INTO sent_mail (day, recipient_hash, count)
        SELECT ${day}, item.value ->> '$.hash', 1 FROM ${items} WHERE true
        ON CONFLICT (day, recipient_hash) DO UPDATE SET count = count + 1`,
      insertSignUpRequest(store.organisationId, request, now),
    ],
  )
  return refused === undefined
}

/** Deletes the counts of the days before `day`. */
export async function deleteOldCounts(DB: D1Database, day: string): Promise<void> {
  await statement(DB, sql`DELETE FROM sent_mail WHERE day < ${day}`).run()
}
