import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { ApiError } from '../model/api-error.ts'
import type { Settings } from '../platform/bindings.ts'
import { logError } from '../platform/log.ts'
import { findMissingSettings } from '../platform/missing-settings.ts'

type IdentitySetting = Extract<keyof Settings, `AUTH_${string}`>
type IdentitySettings = Partial<Record<IdentitySetting, string>>

/** Settings with the setting that each requires. */
const requirements: readonly (readonly [IdentitySetting, IdentitySetting])[] = [
  ['AUTH_ISSUER', 'AUTH_AUDIENCE'],
  ['AUTH_AUDIENCE', 'AUTH_ISSUER'],
  ['AUTH_JWKS', 'AUTH_ISSUER'],
  ['AUTH_CLIENT_ID', 'AUTH_ISSUER'],
  ['AUTH_CLIENT_SECRET', 'AUTH_CLIENT_ID'],
]

/**
 * A message for each invalid or missing setting of the identity provider, without its value. The
 * deployment and `/readyz` report them; requests that need the provider fail with the first.
 */
export function findIdentityProblems(settings: IdentitySettings): string[] {
  const { AUTH_ISSUER: issuer, AUTH_JWKS: jwks, AUTH_TRUSTED_EMAILS: trusted } = settings
  const problems = findMissingSettings(settings, requirements)
  if (issuer && !isHttpsAddress(issuer)) problems.push('AUTH_ISSUER must be an https:// address.')
  if (jwks && !isHttpsAddress(jwks) && !isKeySet(jwks))
    problems.push('AUTH_JWKS must be a JSON Web Key Set or an https:// address.')
  if (trusted && !['true', 'false'].includes(trusted))
    problems.push('AUTH_TRUSTED_EMAILS must be true or false.')
  return problems
}

/** Throws 500 if a setting of the identity provider is invalid or missing, and logs which. */
export function requireIdentitySettings(settings: IdentitySettings): void {
  const [cause] = findIdentityProblems(settings)
  if (!cause) return
  logError('identity-provider', { cause })
  throw new ApiError('INTERNAL_ERROR', `The settings for tokens are invalid: ${cause}`)
}

/** Whether the operator trusts every e-mail address of the provider, even without a verified claim. */
export const trustsAllEmails = ({ AUTH_TRUSTED_EMAILS }: IdentitySettings) =>
  AUTH_TRUSTED_EMAILS === 'true'

// White space, as of a pasted line, would never match the `iss` of a token.
export const isHttpsAddress = (text: string) => /^https:\/\/\S+$/.test(text) && URL.canParse(text)

/** Parses a JSON Web Key Set. Throws an error for other text. */
export function parseKeySet(jwks: string): JWTVerifyGetKey {
  const set: JSONWebKeySet = JSON.parse(jwks)
  return createLocalJWKSet(set)
}

function isKeySet(text: string): boolean {
  try {
    parseKeySet(text)
    return true
  } catch {
    return false
  }
}
