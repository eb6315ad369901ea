import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Context } from 'hono'
import { namesAnother, type OrganisationPlace } from '../http/organisation.ts'
import { ApiError, badCredentials } from '../model/api-error.ts'
import { sha256 } from '../platform/sha256.ts'
import type { Credential } from '../store/credential.ts'
import { afterwards } from './afterwards.ts'
import type { WorkerEnv } from './env.ts'
import { findKey, type KeyHint, readHint, writeHint } from './key-hint.ts'
import { isWellFormed } from './key-text.ts'
import { noteUse } from './key-use.ts'
import { countFailure, countRequest } from './limits.ts'

// The hints of keys the database has found good here: a key never changes its organisation, and whether
// it is still good, and its limits, the database says again with every read. Spares KV a look-up a request.
const proven = new Map<string, KeyHint>()
const mostProven = 10_000

/** The credential of an API key for its organisation; throws 401 when there is no such key, or it is another organisation's than the request names (contract 5). */
export async function keyCredential(
  c: Context<WorkerEnv>,
  key: string,
  place: OrganisationPlace,
): Promise<Credential> {
  if (!isWellFormed(key)) {
    await countFailure(c, 'key')
    throw malformed()
  }
  const hash = await sha256(key)
  await countRequest(c.env, hash)
  const hint = proven.get(hash) ?? (await findHint(c, hash))
  if (!hint) throw badCredentials()
  const { organisationId, keyId } = hint
  if (namesAnother(c.req, place, organisationId)) throw badCredentials()
  const inForce = () => sql`FROM api_keys WHERE hash = ${hash}
    AND organisation_id = ${organisationId} AND revoked IS NULL
    AND (expires IS NULL OR expires > ${new Date().toISOString()})`
  const credential: Credential = {
    organisationId,
    who: keyId,
    author: { by: 'key', id: keyId },
    limits: hint.limits,
    address: c.req.header('CF-Connecting-IP'),
    // Asked anew with each page of a pull, which a key may not outlive.
    get rights() {
      return sql`(SELECT rights || coalesce(' ' || limits, '') ${inForce()})`
    },
    get held() {
      return sql`(SELECT rights ${inForce()} AND limits IS ${credential.limits})`
    },
    noteUse(use) {
      if (proven.size >= mostProven) proven.clear()
      proven.set(hash, { ...hint, limits: credential.limits })
      const written = noteUse(c.env.DB, { organisationId, keyId }, use, Date.now())
      if (written) afterwards(c, written)
    },
  }
  return credential
}

// A key that KV does not know is counted before the database is asked, so that guessing keys soon
// costs it nothing. While KV is dead, good keys must not use up what bad ones may.
async function findHint(c: Context<WorkerEnv>, hash: string): Promise<KeyHint | undefined> {
  const { hint, unknown } = await readHint(c.env.KEYS, hash)
  if (hint) return hint
  if (unknown) await countFailure(c, 'key')
  const found = await findKey(drizzle(c.env.DB), hash)
  if (!found && !unknown) await countFailure(c, 'key')
  if (found) c.executionCtx.waitUntil(writeHint(c.env.KEYS, hash, found))
  return found
}

const malformed = () =>
  new ApiError(
    'UNAUTHORIZED',
    'x-api-key: must be an API key of this service, whole: sk_ and 38 letters and digits. A token is sent as Authorization: Bearer.',
  )
