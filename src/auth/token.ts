import { errors, type JWTPayload, jwtVerify } from 'jose'
import { normaliseSignInEmail } from './address.ts'
import type { Provider } from './provider.ts'

/** A person of the identity provider, with their e-mail address if it is verified. */
export type Person = { issuer: string; subject: string; email?: string }

// Only asymmetric algorithms: with HMAC or `none`, anyone with the public key could sign.
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

const maxTokenCharacters = 16_384

/** The person of a token; undefined if it is not a valid, unexpired token of `provider` for this API. */
export async function verifyToken(provider: Provider, token: string): Promise<Person | undefined> {
  if (token.length > maxTokenCharacters) return undefined
  try {
    const { payload } = await jwtVerify(token, provider.keys, {
      algorithms,
      issuer: provider.issuer,
      audience: provider.audience,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: 5,
    })
    return personFromClaims(payload, provider.trustsAllEmails)
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** The person in the claims of a valid token. `trustsAllEmails` means that every address counts as verified. */
export function personFromClaims(claims: JWTPayload, trustsAllEmails: boolean): Person | undefined {
  const { iss, sub, email } = claims
  if (!iss || typeof sub !== 'string' || sub === '') return undefined
  const hasVerifiedEmail = typeof email === 'string' && isEmailVerified(claims, trustsAllEmails)
  return {
    issuer: iss,
    subject: sub,
    ...(hasVerifiedEmail && { email: normaliseSignInEmail(email) }),
  }
}

// Claims override the operator's setting. Entra ID has xms_edov instead of email_verified, with
// several spellings of true. Its preferred_username is ignored because people can change it.
function isEmailVerified(
  { email_verified, xms_edov }: JWTPayload,
  trustsAllEmails: boolean,
): boolean {
  if (email_verified !== undefined) return email_verified === true
  if (xms_edov !== undefined)
    return [true, 1, '1', 'true'].some((accepted) => xms_edov === accepted)
  return trustsAllEmails
}
