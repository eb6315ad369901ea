import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { contractFor } from '../http/contract.ts'
import { logError } from '../http/errors.ts'
import { ApiError } from '../model/api-error.ts'
import { Records } from '../records/records.ts'
import type { Credential } from '../store/credential.ts'
import { Store } from '../store/store.ts'
import type { WorkerEnv } from './env.ts'
import { keyCredential } from './key-credential.ts'
import { countFailure, countRequest } from './limits.ts'
import { providerOf } from './provider.ts'
import { bearerOf, bearerToken } from './token.ts'
import { tokenCredential } from './token-credential.ts'

/** Opens the records of the organisation whose API key, or whose user's token, the request carries, or answers 401 (contract 5). */
export const authenticate = createMiddleware<WorkerEnv>(async (c, next) => {
  const credential = await credentialOf(c)
  if (!credential) {
    throw new ApiError(
      'UNAUTHORIZED',
      'Send a valid API key of this organisation in the x-api-key header, or a valid token in Authorization: Bearer.',
    )
  }
  const store = new Store(c.env.DB, credential)
  c.set('store', store)
  c.set('reads', store)
  c.set('records', new Records(store, c.env.GEOGRAPHY))
  await next()
  // An answer that took no read, such as a 400, must not tell a revoked key more than 401. After a
  // failure there is nothing to tell, and asking a failing database again would not help.
  const { status } = c.res
  if (!store.checked && status !== 401 && status < 500) await store.check()
  if (credential.noteUse && store.checked) {
    c.executionCtx.waitUntil(
      credential.noteUse().catch((error: Error) => logError(error, c.var.requestId)),
    )
  }
})

async function credentialOf(c: Context<WorkerEnv>): Promise<Credential | undefined> {
  const key = c.req.header('x-api-key')
  const token = bearerToken(c.req.header('Authorization'))
  if (key !== undefined && token !== undefined) {
    throw new ApiError('BAD_REQUEST', 'Send either x-api-key or Authorization: Bearer, not both.')
  }
  const place = contractFor(c)?.organisation ?? 'query'
  if (key !== undefined) return keyCredential(c, key, place)
  if (token === undefined) return undefined
  const provider = providerOf(c.env)
  const person = provider && (await bearerOf(provider, token))
  if (!person) {
    await countFailure(c)
    return undefined
  }
  await countRequest(c.env, `${person.issuer} ${person.subject}`)
  return tokenCredential(c, person, place)
}
