import { sql } from 'drizzle-orm/sql'
import { json } from '../columns.ts'
import { isSettledHere } from '../databases.ts'
import { ofOrganisation } from '../fragments.ts'
import { statement } from '../statement.ts'
import type { Store } from '../store.ts'

/*
 * A draft is a sign-up that was not sent yet: a request (sign-up-requests.ts) without attempts, which is deleted when
 * it is due. The number of drafts is limited because anybody can make one.
 */

/** What somebody has entered in a sign-up form, in a form of the public pages. */
export type SignUpDraft = { values: readonly (readonly [name: string, value: string])[] }

export type DraftKey = { id: string; eventId: string }

const maxDrafts = 500
const keptMs = 2 * 3_600_000

/** Saves a draft for two hours. Returns false if the organisation has too many. */
export async function saveSignUpDraft(
  store: Store,
  { id, eventId }: DraftKey,
  draft: SignUpDraft,
): Promise<boolean> {
  const { organisationId } = store
  const now = Date.now()
  const times = [now, now + keptMs].map((time) => new Date(time).toISOString())
  const { refused } = await store.write(
    {
      permissions: ['write'],
      isInternal: true,
      unless: {
        tooMany: sql`(SELECT count(*) FROM (
          SELECT 1 FROM sign_up_requests
          WHERE ${ofOrganisation(store)} AND attempts = 0 AND id <> ${id} LIMIT ${maxDrafts}
        )) >= ${maxDrafts}`,
      },
    },
    [
      sql`INSERT INTO sign_up_requests (organisation_id, id, event_id, sign_up, created, attempts, due)
        VALUES (${organisationId}, ${id}, ${eventId}, ${JSON.stringify(draft)}, ${times[0]}, 0, ${times[1]})
        ON CONFLICT (organisation_id, id) DO UPDATE SET sign_up = excluded.sign_up, due = excluded.due`,
    ],
  )
  return refused === undefined
}

/** Reads a draft; undefined for an unknown one. */
export async function readSignUpDraft<Draft extends SignUpDraft>(
  store: Store,
  { id, eventId }: DraftKey,
): Promise<Draft | undefined> {
  const { rows } = await store.select({
    rows: {
      columns: { draft: json<Draft>(sql`sign_up`) },
      from: sql`FROM sign_up_requests WHERE ${ofOrganisation(store)} AND id = ${id}
        AND event_id = ${eventId} AND attempts = 0 AND due > ${new Date().toISOString()}`,
    },
  })
  return rows[0]?.draft
}

/** Deletes the drafts of all organisations that nobody has changed for two hours. */
export async function deleteOldDrafts(DB: D1Database, now: string): Promise<void> {
  await statement(
    DB,
    sql`DELETE FROM sign_up_requests WHERE due <= ${now} AND attempts = 0
      AND ${isSettledHere(sql`sign_up_requests.organisation_id`)}`,
  ).run()
}
