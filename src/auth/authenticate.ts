import type { Context, HonoRequest } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Credential } from '../access/credential.ts'
import { contractFor } from '../http/contract.ts'
import { preflightOrigin } from '../http/cors.ts'
import type { OrganisationSource } from '../http/organisation.ts'
import { ApiError } from '../model/api-error.ts'
import { BoundedMap } from '../platform/bounded-map.ts'
import { openShare } from '../store/fair-share.ts'
import { Store } from '../store/store.ts'
import { notifyWebhooks } from './background-tasks.ts'
import { recordsOpener, type WorkerEnv } from './env.ts'
import { resolveKeyCredential } from './key-credential.ts'
import { answerPreflight } from './preflight.ts'

// Only recently rejected callers are verified before the request: a revoked key then costs one row
// per request, and a valid key needs no extra round trip.
const rejectedCallers = new BoundedMap<string, true>(10_000)

/** Returns the credential of a request and the collection that its use counts for, or throws 401. */
type FindCaller = (c: Context<WorkerEnv>) => Promise<{ credential: Credential; collection: string }>

/** Opens the organisation of the API key or token in a request, or throws 401. */
export const authenticate = authenticateWith(async (c) => {
  const contract = await contractFor(c)
  return {
    credential: await resolveCredential(c, credentialsOf(c.req), contract?.organisation ?? 'query'),
    collection: contract ? pathSegment(c) : 'none',
  }
})

/** Middleware that opens the organisation of the caller, and answers preflight requests, which have no credentials. */
export function authenticateWith(findCaller: FindCaller) {
  return createMiddleware<WorkerEnv>(async (c, next) => {
    const origin = preflightOrigin(c)
    if (origin !== undefined) return answerPreflight(c, origin)
    const { credential, collection } = await findCaller(c)
    const share = openShare(c.env, credential.organisationId)
    const store = new Store(c.env, credential, { share })
    c.set('store', store)
    c.set('reads', store)
    c.set('openRecords', recordsOpener(store, c.env))
    const caller = JSON.stringify([credential.principal, credential.organisationId])
    if (rejectedCallers.has(caller)) await store.verify()
    await next()
    const { status } = c.res
    if (status === 401) {
      rejectedCallers.set(caller, true)
      return
    }
    // A revoked key must get 401 even if the response needed no read, such as a 400. After a server
    // error, another query would not help, and after 429 it would have to wait as well.
    const isWorthVerifying = status === 501 || (status < 500 && status !== 429)
    if (!store.isVerified && isWorthVerifying) await store.verify()
    if (!store.isVerified) return
    rejectedCallers.delete(caller)
    store.countRequest(collection)
    notifyWebhooks(c, store)
  })
}

/** The API key or token that a request sends. */
type SentCredentials = { key?: string | undefined; token?: string | undefined }

/** The credential of a key or token. Throws 400 for both, 401 for neither or an invalid one. */
export async function resolveCredential(
  c: Context<WorkerEnv>,
  { key, token }: SentCredentials,
  source: OrganisationSource,
): Promise<Credential> {
  if (key !== undefined && token !== undefined) {
    throw new ApiError('BAD_REQUEST', 'Send either x-api-key or Authorization: Bearer, not both.')
  }
  if (key !== undefined) return resolveKeyCredential(c, key, source)
  if (token === undefined) {
    throw new ApiError(
      'UNAUTHORIZED',
      'Send an API key in the x-api-key header, or a token as Authorization: Bearer.',
    )
  }
  // Only a token needs the libraries for identity providers: a key's first request is faster without.
  const { resolveTokenCredential } = await import('./token-credential.ts')
  return resolveTokenCredential(c, token, source)
}

/** The API key and the token of an `Authorization: Bearer` header. */
export function credentialsOf(req: HonoRequest): SentCredentials {
  const [scheme = '', token = ''] = (req.header('Authorization') ?? '').split(' ', 2)
  return {
    key: req.header('x-api-key'),
    token: scheme.toLowerCase() === 'bearer' ? token : undefined,
  }
}

/** The first segment of the path below the API's root. */
const pathSegment = ({ req }: Context) => req.path.split('/')[3] ?? ''
