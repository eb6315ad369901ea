import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Context } from 'hono'
import type { Env } from '../env.ts'
import type { Credential } from '../store/store.ts'
import { hashOf, isWellFormed } from './api-key.ts'
import { findKey } from './key-hint.ts'
import { noteUse } from './key-use.ts'

/** The credential of an API key for its organisation; undefined when there is no such key (contract 5). */
export async function keyCredential(c: Context<Env>, key: string): Promise<Credential | undefined> {
  if (!isWellFormed(key)) return undefined
  const hash = await hashOf(key)
  const hint = await findKey(c.env.KEYS, drizzle(c.env.DB), hash, (work) =>
    c.executionCtx.waitUntil(work),
  )
  if (!hint) return undefined
  const { organisationId } = hint
  // A key is never asked which organisation; one that names another has no business here.
  const named = c.req.queries('organisationId') ?? []
  if (named.some((id) => id !== organisationId)) return undefined
  return {
    organisationId,
    holds: sql`EXISTS (SELECT 1 FROM api_keys WHERE hash = ${hash}
      AND organisation_id = ${organisationId} AND revoked IS NULL
      AND (expires IS NULL OR expires > ${new Date().toISOString()}))`,
    noteUse: () => noteUse(c.env.DB, hash, Date.now()),
  }
}
