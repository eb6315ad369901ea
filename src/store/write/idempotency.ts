import { type SQL, sql } from 'drizzle-orm/sql'

/** A request with an Idempotency-Key: the SHA-256 of its sender and key, and of its body. */
export type IdempotentRequest = { id: string; bodyHash: string }

/** A stored response: the id of the created record, and the body if it has more than the id. */
export type StoredResponse = { bodyHash: string; id: string; text: string | null }

const hours = 24

/** The time before which stored responses have expired. */
const forgotten = () => new Date(Date.now() - hours * 3_600_000).toISOString()

/** SQL for the stored response as JSON text, or NULL for a new request. */
export const storedResponse = ({ id }: IdempotentRequest): SQL =>
  sql`(SELECT json_object('bodyHash', request_hash, 'id', record_id, 'text', response)
    FROM idempotency_keys
    WHERE id = ${id} AND created > ${forgotten()})`

/** The statements that store a response. They throw if one already exists. */
export const storeResponse = (
  organisationId: string,
  request: IdempotentRequest,
  { id, text }: { id: string; text: string | SQL | null },
): SQL[] => [
  sql`DELETE FROM idempotency_keys WHERE created <= ${forgotten()}`,
  sql`INSERT INTO idempotency_keys (
      id, organisation_id, request_hash, record_id, created, response
    )
    VALUES (${request.id}, ${organisationId}, ${request.bodyHash}, ${id}, ${new Date().toISOString()},
      ${text})`,
]

/** Whether an error means that a response is already stored. */
export const isDuplicateRequest = (error: unknown) =>
  error instanceof Error && error.message.includes('UNIQUE constraint failed: idempotency_keys.id')
