import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type Contract, contractFor } from '../http/contract.ts'
import { ApiError } from '../model/api-error.ts'
import { Records } from '../records/records.ts'
import type { Credential } from '../store/credential.ts'
import { Store } from '../store/store.ts'
import { tellWebhooks } from './afterwards.ts'
import type { WorkerEnv } from './env.ts'
import { keyCredential } from './key-credential.ts'
import { countFailure, countRequest } from './limits.ts'
import { type Provider, providerOf } from './provider.ts'
import { bearerOf, bearerToken } from './token.ts'
import { tokenCredential } from './token-credential.ts'

// Whoever was refused here lately is checked before anything else is done for them. A revoked key
// thus costs a row a request, and a good one no round trip more.
const refused = new Set<string>()
const mostRefused = 10_000

/** Opens the records of the organisation whose API key, or whose user's token, the request carries, or answers 401 (contract 5). */
export const authenticate = createMiddleware<WorkerEnv>(async (c, next) => {
  const contract = contractFor(c)
  const credential = await credentialOf(c, contract)
  const store = new Store(c.env.DB, credential)
  c.set('store', store)
  c.set('reads', store)
  c.set('records', new Records(store, c.env.GEOGRAPHY, c.env.KEYS))
  const name = JSON.stringify([credential.who, credential.organisationId])
  if (refused.has(name)) await store.check()
  await next()
  const { status } = c.res
  if (status === 401) {
    if (refused.size >= mostRefused) refused.clear()
    refused.add(name)
    return
  }
  // An answer that took no read, such as a 400, must not tell a revoked key more than 401. After a
  // failure there is nothing to tell, and asking a failing database again would not help.
  if (!store.checked && status < 500) await store.check()
  if (!store.checked) return
  refused.delete(name)
  credential.noteUse?.({ collection: contract ? segmentOf(c) : 'none', requests: 1, records: 0 })
  tellWebhooks(c, store)
})

async function credentialOf(
  c: Context<WorkerEnv>,
  contract: Contract | undefined,
): Promise<Credential> {
  const key = c.req.header('x-api-key')
  const token = bearerToken(c.req.header('Authorization'))
  if (key !== undefined && token !== undefined) {
    throw new ApiError('BAD_REQUEST', 'Send either x-api-key or Authorization: Bearer, not both.')
  }
  const place = contract?.organisation ?? 'query'
  if (key !== undefined) return keyCredential(c, key, place)
  if (token === undefined) {
    throw new ApiError(
      'UNAUTHORIZED',
      'Send an API key in the x-api-key header, or a token as Authorization: Bearer.',
    )
  }
  const provider = providerOf(c.env)
  const person = provider && (await bearerOf(provider, token))
  if (!person) {
    await countFailure(c, 'token')
    throw new ApiError('UNAUTHORIZED', `Authorization: ${reasonOf(token, provider)}`)
  }
  await countRequest(c.env, `${person.issuer} ${person.subject}`)
  return tokenCredential(c, person, place)
}

/** What a request is for: the first segment of its path below the API's root. */
const segmentOf = ({ req }: Context) => req.path.split('/')[3] ?? ''

function reasonOf(token: string, provider: Provider | undefined): string {
  if (token.startsWith('sk_')) return 'an API key is sent in the x-api-key header.'
  if (!provider) return 'this service takes no tokens; send an API key in the x-api-key header.'
  return 'the token must come from the identity provider of this service, for this API, and not have expired.'
}
