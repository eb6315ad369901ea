import { type SQL, sql } from 'drizzle-orm'
import { badCredentials } from '../model/api-error.ts'
import { inTime } from '../platform/in-time.ts'
import { ownersOf, type Unique } from './owners.ts'
import { putStatement, type Written } from './put.ts'
import { statement } from './statement.ts'

/** A request that may be sent again: who sent it with which Idempotency-Key, and what it says; both as a SHA-256. */
export type Repeatable = { id: string; body: string }

/** What a Repeatable made the first time. */
export type Made = { body: string; memberId: string }

const hours = 24

/** How long a request is remembered: those from before this time are not. */
const forgotten = () => new Date(Date.now() - hours * 3_600_000).toISOString()

/** SQL for what a request made before, as JSON text; NULL when it is new. */
export const madeBefore = ({ id }: Repeatable): SQL =>
  sql`(SELECT json_object('body', body, 'memberId', member_id) FROM idempotency
    WHERE id = ${id} AND created > ${forgotten()})`

/**
 * Keeps a new member and remembers the request in one transaction. Gives the unique fields whose
 * value another member has; then nothing is kept, nor when `holds` does not hold, which is 401.
 * Throws where the request is remembered already.
 */
export async function createMember(
  d1: D1Database,
  organisationId: string,
  holds: SQL,
  member: Written,
  unique: readonly Unique[],
  request?: Repeatable,
): Promise<{ taken: string[] }> {
  const scope = { organisationId, collection: 'members' }
  const taken = sql`SELECT field FROM (${ownersOf(scope, unique)})`
  const kept = sql`EXISTS (SELECT 1 FROM records WHERE collection = 'members'
    AND id = ${member.id} AND organisation_id = ${organisationId})`
  const written = d1.batch<{ holds: number; taken: string }>([
    statement(
      d1,
      sql`SELECT ${holds} AS holds, (SELECT json_group_array(field) FROM (${taken})) AS taken`,
    ),
    putStatement(d1, scope, [member], sql`${holds} AND NOT EXISTS (${taken})`),
    ...(request
      ? [
          statement(d1, sql`DELETE FROM idempotency WHERE created <= ${forgotten()}`),
          statement(
            d1,
            sql`INSERT INTO idempotency (id, body, member_id, created)
              SELECT ${request.id}, ${request.body}, ${member.id}, ${new Date().toISOString()}
              WHERE ${kept}`,
          ),
        ]
      : []),
  ])
  const [checked] = await inTime(written)
  const found = checked?.results[0]
  if (found?.holds !== 1) throw badCredentials()
  return { taken: JSON.parse(found.taken) }
}

/** Whether `error` says that a request is remembered already. */
export const isRemembered = (error: unknown) =>
  error instanceof Error && error.message.includes('UNIQUE constraint failed: idempotency.id')
