import { errors, type JWTPayload, jwtVerify } from 'jose'
import { normaliseEmail } from './address.ts'
import type { Provider } from './provider.ts'

/** A person as the identity provider knows them; the address only if the provider vouches for it. */
export type Person = { issuer: string; subject: string; email?: string }

// Asymmetric ones only: with HMAC, or `none`, whoever knows the public key could sign.
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

const maxTokenCharacters = 16_384

/** The token of an `Authorization: Bearer` header; undefined when the header is not one (contract 5). */
export function parseBearer(authorization: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (authorization ?? '').split(' ', 2)
  return scheme.toLowerCase() === 'bearer' ? token : undefined
}

/** Who bears the token; undefined when it is not a valid, unexpired one of `provider` for this API. */
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
    return personFromClaims(payload, provider.verifiesEmails)
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** The person that the claims of a good token are about; `vouches` tells whether the provider vouches for every address it gives. */
export function personFromClaims(claims: JWTPayload, verifiesEmails: boolean): Person | undefined {
  const { iss, sub, email } = claims
  if (!iss || typeof sub !== 'string' || sub === '') return undefined
  const hasVerifiedEmail = typeof email === 'string' && isEmailVerified(claims, verifiesEmails)
  return { issuer: iss, subject: sub, ...(hasVerifiedEmail && { email: normaliseEmail(email) }) }
}

// What the token says of its address goes over what the operator says of the provider. Entra ID has
// no email_verified, but xms_edov, and spells it in several ways. It also has preferred_username,
// which is not looked at: people may change it.
function isEmailVerified(
  { email_verified, xms_edov }: JWTPayload,
  verifiesEmails: boolean,
): boolean {
  if (email_verified !== undefined) return email_verified === true
  if (xms_edov !== undefined)
    return [true, 1, '1', 'true'].some((accepted) => xms_edov === accepted)
  return verifiesEmails
}
