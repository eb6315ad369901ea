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
import { discover } from './discovery.ts'
import { unreachable } from './provider-fault.ts'
import { providerFetch } from './provider-fetch.ts'

/** Whose tokens are accepted, for which audience, the keys they are signed with, and whether the provider vouches for every address in them. */
export type Provider = { issuer: string; audience: string; keys: JWTVerifyGetKey; vouches: boolean }

/** Where the Worker of a local machine puts its own provider: a name that no variable or secret can have. */
export const localProvider = Symbol('local provider')

export type LocalProvider = { [localProvider]?: Provider }

// A set of keys remembers what it has fetched, so it must outlive the request.
const keySets = new Map<string, JWTVerifyGetKey>()

/** The identity provider the operator has chosen; undefined when there is none, so that only keys are accepted. */
export function providerOf(env: Settings & LocalProvider): Provider | undefined {
  const local = env[localProvider]
  if (local) return local
  const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, AUTH_JWKS: jwks = '' } = env
  if (!issuer) return undefined
  if (!/^https:\/\//.test(issuer)) throw misconfigured('AUTH_ISSUER must begin with https://.')
  if (!audience) throw misconfigured('AUTH_AUDIENCE must be set where AUTH_ISSUER is.')
  const name = `${issuer} ${jwks}`
  const keys = keySets.get(name) ?? keySet(issuer, jwks)
  keySets.set(name, keys)
  return { issuer, audience, keys, vouches: vouchesForAddresses(env) }
}

/** Whether the operator has said that the provider vouches for every address it gives, also where its tokens do not say so. */
export function vouchesForAddresses({ AUTH_TRUSTED_EMAILS: said = '' }: Settings): boolean {
  if (!['', 'true', 'false'].includes(said))
    throw misconfigured('AUTH_TRUSTED_EMAILS must be true or false.')
  return said === 'true'
}

function keySet(issuer: string, jwks: string): JWTVerifyGetKey {
  if (jwks && !jwks.startsWith('https://')) return givenKeySet(jwks)
  let remote = jwks ? remoteKeySet(jwks) : undefined
  return async (header, token) => {
    remote ??= remoteKeySet(String((await discover(issuer)).jwks_uri))
    try {
      return await remote(header, token)
    } catch (error) {
      if (isAboutTheToken(error)) throw error
      throw unreachable(issuer, error)
    }
  }
}

const remoteKeySet = (address: string) =>
  createRemoteJWKSet(new URL(address), { [customFetch]: providerFetch })

/** The keys of a JSON Web Key Set given as text. */
export function givenKeySet(jwks: string): JWTVerifyGetKey {
  try {
    const set: JSONWebKeySet = JSON.parse(jwks)
    return createLocalJWKSet(set)
  } catch {
    throw misconfigured('AUTH_JWKS must be a JSON Web Key Set or an https address.')
  }
}

const isAboutTheToken = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys

const misconfigured = (message: string) =>
  new ApiError('INTERNAL_ERROR', `The service is not set up for tokens: ${message}`)
