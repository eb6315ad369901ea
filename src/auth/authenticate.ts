import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { createMiddleware } from 'hono/factory'
import type { Env } from '../env.ts'
import { ApiError } from '../http/errors.ts'
import { type Credential, Store } from '../store/store.ts'
import { hashOf, isWellFormed } from './api-key.ts'
import { findKey } from './key-hint.ts'

const refused = () =>
  new ApiError('UNAUTHORIZED', 'Send a valid API key of this organisation in the x-api-key header.')

/** Opens the Store of the organisation whose API key the request carries, or answers 401 (contract 5). */
export const authenticate = createMiddleware<Env>(async (c, next) => {
  const key = c.req.header('x-api-key')
  if (key === undefined || !isWellFormed(key)) throw refused()
  const hash = await hashOf(key)
  const hint = await findKey(c.env.KEYS, drizzle(c.env.DB), hash, (work) =>
    c.executionCtx.waitUntil(work),
  )
  if (!hint) throw refused()
  const store = new Store(c.env.DB, keyCredential(hash, hint.organisationId))
  c.set('store', store)
  const asked = c.req.queries('organisationId') ?? []
  if (asked.some((id) => id !== store.organisationId)) throw refused()
  await next()
  // An answer that took no read, such as a 400, must not tell a revoked key more than 401. After a
  // failure there is nothing to tell, and asking a failing database again would not help.
  if (!store.checked && c.res.status < 500) await store.check()
})

const keyCredential = (hash: string, organisationId: string): Credential => ({
  organisationId,
  holds: sql`EXISTS (SELECT 1 FROM api_keys WHERE hash = ${hash}
    AND organisation_id = ${organisationId} AND revoked IS NULL)`,
})
