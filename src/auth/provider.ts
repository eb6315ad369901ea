import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose'
import { ApiError } from '../model/api-error.ts'
import type { Settings } from '../platform/bindings.ts'
import { discoverProvider } from './discovery.ts'
import { providerUnavailable } from './provider-fault.ts'
import { fetchFromProvider } from './provider-fetch.ts'

/** Whose tokens are accepted, for which audience, the keys they are signed with, and whether the provider vouches for every address in them. */
export type Provider = {
  issuer: string
  audience: string
  keys: JWTVerifyGetKey
  verifiesEmails: boolean
}

/** Where the Worker of a local machine puts its own provider: a name that no variable or secret can have. */
export const localProvider = Symbol('local provider')

export type LocalProvider = { [localProvider]?: Provider }

// A set of keys remembers what it has fetched, so it must outlive the request.
const keySets = new Map<string, JWTVerifyGetKey>()

/** The identity provider the operator has chosen; undefined when there is none, so that only keys are accepted. */
export function identityProvider(env: Settings & LocalProvider): Provider | undefined {
  const local = env[localProvider]
  if (local) return local
  const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, AUTH_JWKS: jwks = '' } = env
  if (!issuer) return undefined
  if (!/^https:\/\//.test(issuer))
    throw misconfigurationError('AUTH_ISSUER must begin with https://.')
  if (!audience) throw misconfigurationError('AUTH_AUDIENCE must be set where AUTH_ISSUER is.')
  const cacheKey = `${issuer} ${jwks}`
  const keys = keySets.get(cacheKey) ?? createKeySet(issuer, jwks)
  keySets.set(cacheKey, keys)
  return { issuer, audience, keys, verifiesEmails: verifiesEmails(env) }
}

/** Whether the operator has said that the provider vouches for every address it gives, also where its tokens do not say so. */
export function verifiesEmails({ AUTH_TRUSTED_EMAILS: setting = '' }: Settings): boolean {
  if (!['', 'true', 'false'].includes(setting))
    throw misconfigurationError('AUTH_TRUSTED_EMAILS must be true or false.')
  return setting === 'true'
}

function createKeySet(issuer: string, jwks: string): JWTVerifyGetKey {
  if (jwks && !jwks.startsWith('https://')) return parseKeySet(jwks)
  let remote = jwks ? createRemoteKeySet(jwks) : undefined
  return async (header, token) => {
    remote ??= createRemoteKeySet(String((await discoverProvider(issuer)).jwks_uri))
    try {
      return await remote(header, token)
    } catch (error) {
      if (isTokenError(error)) throw error
      throw providerUnavailable(issuer, error)
    }
  }
}

const createRemoteKeySet = (address: string) =>
  createRemoteJWKSet(new URL(address), { [customFetch]: fetchFromProvider })

/** The keys of a JSON Web Key Set given as text. */
export function parseKeySet(jwks: string): JWTVerifyGetKey {
  try {
    const set: JSONWebKeySet = JSON.parse(jwks)
    return createLocalJWKSet(set)
  } catch {
    throw misconfigurationError('AUTH_JWKS must be a JSON Web Key Set or an https address.')
  }
}

const isTokenError = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys

const misconfigurationError = (message: string) =>
  new ApiError('INTERNAL_ERROR', `The service is not set up for tokens: ${message}`)
