import { type SQL, sql } from 'drizzle-orm'
import { statement } from '../sql/statement.ts'

/** A request that may be sent again: who sent it with which Idempotency-Key, and what it asks; both as a SHA-256. */
export type IdempotentRequest = { id: string; body: string }

/** What a Repeatable did the first time: the id of what it created, and its answer where that is more. */
export type StoredResponse = { body: string; id: string; answer: string | null }

const hours = 24

/** How long a request is remembered: those from before this time are not. */
const forgotten = () => new Date(Date.now() - hours * 3_600_000).toISOString()

/** SQL for what a request did before, as JSON text; NULL when it is new. */
export const storedResponse = ({ id }: IdempotentRequest): SQL =>
  sql`(SELECT json_object('body', body, 'id', member_id, 'answer', answer) FROM idempotency
    WHERE id = ${id} AND created > ${forgotten()})`

/** The statements that remember what a request does, under the condition it is done under; they throw where it is remembered already. */
export const storeResponse = (
  d1: D1Database,
  organisationId: string,
  request: IdempotentRequest,
  { id, answer }: Omit<StoredResponse, 'body'>,
  condition: SQL,
): D1PreparedStatement[] => [
  statement(d1, sql`DELETE FROM idempotency WHERE created <= ${forgotten()}`),
  statement(
    d1,
    sql`INSERT INTO idempotency (id, organisation_id, body, member_id, created, answer)
      SELECT ${request.id}, ${organisationId}, ${request.body}, ${id}, ${new Date().toISOString()},
        ${answer}
      WHERE ${condition}`,
  ),
]

/** Whether `error` says that a request is remembered already. */
export const isDuplicateRequest = (error: unknown) =>
  error instanceof Error && error.message.includes('UNIQUE constraint failed: idempotency.id')
