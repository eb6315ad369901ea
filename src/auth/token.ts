import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { Provider } from './provider.ts'

/** A person as the identity provider knows them; the address only if the provider has verified it. */
export type Person = { issuer: string; subject: string; email?: string }

// Asymmetric ones only: with HMAC, or `none`, whoever knows the public key could sign.
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** The token of an `Authorization: Bearer` header; undefined when the header is not one (contract 5). */
export function bearerToken(authorization: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (authorization ?? '').split(' ', 2)
  return scheme.toLowerCase() === 'bearer' ? token : undefined
}

/** Who bears the token; undefined when it is not a valid, unexpired one of `provider` for this API. */
export async function bearerOf(provider: Provider, token: string): Promise<Person | undefined> {
  try {
    const { payload } = await jwtVerify(token, provider.keys, {
      algorithms,
      issuer: provider.issuer,
      audience: provider.audience,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: 5,
    })
    return personOfClaims(payload)
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** The person that verified claims are about. */
export function personOfClaims({
  iss,
  sub,
  email,
  email_verified,
}: JWTPayload): Person | undefined {
  if (!iss || !sub) return undefined
  const verified = email_verified === true && typeof email === 'string'
  return { issuer: iss, subject: sub, ...(verified && { email: email.toLowerCase() }) }
}
