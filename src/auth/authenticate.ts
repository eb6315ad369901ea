import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Env } from '../env.ts'
import { ApiError, logError } from '../http/errors.ts'
import { type Credential, Store } from '../store/store.ts'
import { keyCredential } from './key-credential.ts'
import { countFailure, countRequest } from './limits.ts'
import { providerOf } from './provider.ts'
import { bearerOf, bearerToken } from './token.ts'
import { tokenCredential } from './token-credential.ts'

/** Opens the Store of the organisation whose API key, or whose user's token, the request carries, or answers 401 (contract 5). */
export const authenticate = createMiddleware<Env>(async (c, next) => {
  const credential = await credentialOf(c)
  if (!credential) {
    throw new ApiError(
      'UNAUTHORIZED',
      'Send a valid API key of this organisation in the x-api-key header, or a valid token in Authorization: Bearer.',
    )
  }
  const store = new Store(c.env.DB, credential)
  c.set('store', store)
  await next()
  // An answer that took no read, such as a 400, must not tell a revoked key more than 401. After a
  // failure there is nothing to tell, and asking a failing database again would not help.
  const { status } = c.res
  if (!store.checked && status !== 401 && status < 500) await store.check()
  if (credential.noteUse && store.checked) {
    c.executionCtx.waitUntil(credential.noteUse().catch((error: Error) => logError(error, c)))
  }
})

async function credentialOf(c: Context<Env>): Promise<Credential | undefined> {
  const key = c.req.header('x-api-key')
  const token = bearerToken(c.req.header('Authorization'))
  if (key !== undefined && token !== undefined) {
    throw new ApiError('BAD_REQUEST', 'Send either x-api-key or Authorization: Bearer, not both.')
  }
  if (key !== undefined) return keyCredential(c, key)
  return token === undefined ? undefined : credentialOfBearer(c, token)
}

async function credentialOfBearer(c: Context<Env>, token: string): Promise<Credential | undefined> {
  const provider = providerOf(c.env)
  const person = provider && (await bearerOf(provider, token))
  if (!person) {
    await countFailure(c)
    return undefined
  }
  await countRequest(c, `${person.issuer} ${person.subject}`)
  return tokenCredential(c, person)
}
