import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import type { Settings } from '../platform/bindings.ts'
import { discoverProvider } from './discovery.ts'
import {
  isHttpsAddress,
  parseKeySet,
  requireIdentitySettings,
  trustsAllEmails,
} from './identity-settings.ts'
import { fetchFromProvider, providerUnavailable } from './provider-fetch.ts'

/** An accepted issuer with its audience and keys. `trustsAllEmails` means that every address in its tokens counts as verified. */
export type Provider = {
  issuer: string
  audience: string
  keys: JWTVerifyGetKey
  trustsAllEmails: boolean
}

/** The environment property for the provider on a local machine. It is a symbol, so that no variable or secret can set it. */
export const localProvider = Symbol('local provider')

export type LocalProvider = { [localProvider]?: Provider }

// Key sets cache fetched keys, so they must outlive the request.
const keySets = new Map<string, JWTVerifyGetKey>()

/** The configured identity provider; undefined if only API keys are accepted. */
export function identityProvider(env: Settings & LocalProvider): Provider | undefined {
  const local = env[localProvider]
  if (local) return local
  const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience = '', AUTH_JWKS: jwks = '' } = env
  if (!issuer) return undefined
  requireIdentitySettings(env)
  const cacheKey = `${issuer} ${jwks}`
  const keys = keySets.get(cacheKey) ?? createKeySet(issuer, jwks)
  keySets.set(cacheKey, keys)
  return { issuer, audience, keys, trustsAllEmails: trustsAllEmails(env) }
}

function createKeySet(issuer: string, jwks: string): JWTVerifyGetKey {
  if (jwks && !isHttpsAddress(jwks)) return parseKeySet(jwks)
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

const isTokenError = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys
