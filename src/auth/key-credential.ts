import { sql } from 'drizzle-orm/sql'
import type { Context } from 'hono'
import { accessPolicyFor } from '../access/access-policy.ts'
import type { Credential } from '../access/credential.ts'
import { namesOtherOrganisation, type OrganisationSource } from '../http/organisation.ts'
import { ApiError, invalidCredentials } from '../model/api-error.ts'
import { BoundedMap } from '../platform/bounded-map.ts'
import { sha256 } from '../platform/sha256.ts'
import { probableDatabase } from '../store/databases.ts'
import { isActiveKey, ofOrganisation } from '../store/fragments.ts'
import { runInBackground } from './background-tasks.ts'
import type { WorkerEnv } from './env.ts'
import { findKeyHint, type KeyHint, readHint, writeHint } from './key-hint.ts'
import { isWellFormedKey } from './key-text.ts'
import { countKeyUse } from './key-use.ts'
import { limitFailures, limitRequests } from './limits.ts'

// Hints of verified keys save a KV look-up per request. They are safe to reuse: a key never changes
// its organisation, and every read checks its validity and restrictions again.
const verifiedHints = new BoundedMap<string, VerifiedHint>(10_000)

type VerifiedHint = KeyHint & Pick<Credential, 'permissions'>

/** The credential of an API key. Throws 401 if the key is unknown or the request names another organisation. */
export async function resolveKeyCredential(
  c: Context<WorkerEnv>,
  key: string,
  source: OrganisationSource,
): Promise<Credential> {
  if (!isWellFormedKey(key)) {
    await limitFailures(c, 'key')
    throw malformedKey()
  }
  const hash = await sha256(key)
  const verifiedHint = verifiedHints.get(hash)
  if (verifiedHint) {
    // A page must be able to read that it sends too many requests.
    allowOrigins(c, verifiedHint)
    c.set('key', verifiedHint)
  }
  c.set('requestsLeft', await limitRequests(c.env, hash))
  const hint: VerifiedHint | undefined = verifiedHint ?? (await findHint(c, hash))
  if (!hint) throw invalidCredentials()
  c.set('key', hint)
  const { organisationId, keyId } = hint
  if (namesOtherOrganisation(c.req, source, organisationId)) throw invalidCredentials()
  const buildAccess = () => sql`SELECT permissions, restrictions FROM api_keys WHERE hash = ${hash}
    AND ${ofOrganisation({ organisationId })} AND ${isActiveKey(new Date().toISOString())}`
  const credential: Credential = {
    organisationId,
    database: probableDatabase(organisationId, hint.database),
    principal: keyId,
    author: { by: 'key', id: keyId },
    permissions: hint.permissions,
    restrictions: hint.restrictions,
    address: c.req.header('CF-Connecting-IP'),
    // Re-evaluated for every page, so a revoked key stops a running export.
    get access() {
      return buildAccess()
    },
    describe: () => sql`(
      SELECT json_object('kind', 'key', 'id', id, 'name', name, 'prefix', prefix, 'expires', expires)
      FROM api_keys WHERE hash = ${hash})`,
    noteUse(use) {
      const { permissions, restrictions, database } = credential
      const newHint = { ...hint, permissions, restrictions, database }
      verifiedHints.set(hash, newHint)
      if (database !== hint.database) runInBackground(c, writeHint(c.env.KEYS, hash, newHint))
      const flush = countKeyUse(c.env, { organisationId, keyId, database }, use, Date.now())
      if (flush) runInBackground(c, flush)
    },
  }
  allowOrigins(c, credential)
  return credential
}

/** Lets pages of the key's origins read the response; `key` has the restrictions when the response is ready. */
function allowOrigins(c: Context<WorkerEnv>, key: Pick<Credential, 'restrictions'>): void {
  c.set('allowsOrigin', (origin) => accessPolicyFor(key.restrictions).allowsOrigin(origin))
}

// A key without an entry in KV counts as a failure before the database query, so that the rate
// limit keeps guessed keys from the database. While KV is down, valid keys must not count.
async function findHint(c: Context<WorkerEnv>, hash: string): Promise<KeyHint | undefined> {
  const { hint, isUnknown } = await readHint(c.env.KEYS, hash)
  if (hint) return hint
  if (isUnknown) await limitFailures(c, 'key')
  const storedHint = await findKeyHint(c.env, hash)
  if (!storedHint && !isUnknown) await limitFailures(c, 'key')
  if (storedHint) c.executionCtx.waitUntil(writeHint(c.env.KEYS, hash, storedHint))
  return storedHint
}

const malformedKey = () =>
  new ApiError(
    'UNAUTHORIZED',
    'x-api-key: must be a complete API key of this service: sk_ and 38 letters and digits. Send a token as Authorization: Bearer.',
  )
