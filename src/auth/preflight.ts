import { sql } from 'drizzle-orm/sql'
import type { Context } from 'hono'
import { validateOrigin } from '../access/origins.ts'
import { preflightHeaders } from '../http/cors.ts'
import { ApiError } from '../model/api-error.ts'
import type { RecordDatabases } from '../platform/bindings.ts'
import { findInDatabases } from '../store/databases.ts'
import { statement } from '../store/statement.ts'
import type { WorkerEnv } from './env.ts'
import { limitFailures } from './limits.ts'

/**
 * Answers a preflight request, which carries no key: it succeeds if an active key of any
 * organisation lists the origin, otherwise throws 403. The actual request is then answered
 * by the origins of the key it sends.
 */
export async function answerPreflight(c: Context<WorkerEnv>, origin: string): Promise<Response> {
  await limitFailures(c, 'preflight')
  if (validateOrigin(origin) !== undefined || !(await isListed(c.env, origin)))
    throw new ApiError(
      'FORBIDDEN',
      'No key lists this origin. An administrator can add it under Settings, Keys.',
    )
  c.set('allowsOrigin', () => true)
  return new Response(null, { status: 204, headers: preflightHeaders })
}

async function isListed(databases: RecordDatabases, origin: string): Promise<boolean> {
  const query = sql`SELECT 1 FROM key_origins CROSS JOIN api_keys ON api_keys.id = key_origins.key_id
    WHERE origin = ${origin} AND (expires IS NULL OR expires > ${new Date().toISOString()})
    LIMIT 1`
  const row = await findInDatabases(databases, (d1) => statement(d1, query).first())
  return row !== undefined
}
