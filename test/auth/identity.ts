import { env } from 'cloudflare:workers'
import { importJWK, type JWTPayload, SignJWT } from 'jose'
import { request } from '../organisation.ts'

/** A person nobody has seen before. */
export function newPerson() {
  const subject = `subject-${crypto.randomUUID()}`
  const email = `${subject}@people.test`
  return {
    subject,
    email,
    token: () => token({ sub: subject, email, email_verified: true }),
  }
}

/** A token of the tests' identity provider; `claims` go over what it says otherwise. */
export async function token(claims: JWTPayload = {}): Promise<string> {
  const key = await importJWK(JSON.parse(env.TEST_SIGNING_KEY), 'ES256')
  return new SignJWT({ ...goodClaims(), ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'test' })
    .sign(key)
}

/** The claims of a token that is accepted. */
export const goodClaims = (): JWTPayload => ({
  iss: env.AUTH_ISSUER,
  aud: env.AUTH_AUDIENCE,
  sub: 'somebody',
  exp: Math.floor(Date.now() / 1000) + 3600,
})

/** A request with a token. */
export const getWith = (token: string, path: string) =>
  request(path, { headers: { Authorization: `Bearer ${token}` } })
