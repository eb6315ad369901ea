import { type SQL, sql } from 'drizzle-orm/sql'
import { isSettledHere } from '../databases.ts'
import { ofOrganisation } from '../fragments.ts'
import { statement } from '../statement.ts'
import type { Store } from '../store.ts'

/** An unfinished sign-up: its bookings or its message are missing. */
export type SignUpRequest = {
  id: string
  eventId: string
  /** JSON: the people and the contact. */
  signUp: string
}

/** A request with its attempts, including the present one. */
export type DueRequest = SignUpRequest & {
  organisationId: string
  created: string
  attempts: number
}

/** The requests of one run: each may wait for the mail provider. */
const maxRequests = 20

/** SQL for the time of the next attempt: 2 minutes after the first, 4 after the second and so on. */
const nextAttempt = (now: string, attempts: SQL) =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${now}, format('+%d minutes', 1 << (${attempts})))`

/** SQL that stores a request, of which the caller makes the first attempt. */
export const insertSignUpRequest = (
  organisationId: string,
  { id, eventId, signUp }: SignUpRequest,
  now: string,
): SQL => sql`
  INSERT INTO sign_up_requests (organisation_id, id, event_id, sign_up, created, attempts, due)
  VALUES (${organisationId}, ${id}, ${eventId}, ${signUp}, ${now}, 1, ${nextAttempt(now, sql`1`)})`

/** Takes the requests of all organisations that are due, so that nobody else tries them before their next attempt. */
export async function takeDueRequests(DB: D1Database, now: string): Promise<DueRequest[]> {
  const { results } = await statement(
    DB,
    sql`UPDATE sign_up_requests
      SET attempts = attempts + 1, due = ${nextAttempt(now, sql`attempts + 1`)}
      WHERE (organisation_id, id) IN (
        SELECT organisation_id, id FROM sign_up_requests
        WHERE due <= ${now} AND attempts > 0 AND ${isSettledHere(sql`sign_up_requests.organisation_id`)}
        ORDER BY due LIMIT ${maxRequests}
      )
      RETURNING organisation_id AS organisationId, id, event_id AS eventId, sign_up AS signUp,
        created, attempts`,
  ).all<DueRequest>()
  return results
}

/** Deletes a request that is done or given up. */
export async function deleteSignUpRequest(store: Store, id: string): Promise<void> {
  await store.write({ permissions: ['write'], isInternal: true }, [
    sql`DELETE FROM sign_up_requests WHERE ${ofOrganisation(store)} AND id = ${id}`,
  ])
}
