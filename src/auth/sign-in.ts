import * as oauth from 'oauth4webapi'
import { ApiError } from '../model/api-error.ts'
import type { Settings } from '../platform/bindings.ts'
import { discover } from './discovery.ts'
import { vouchesForAddresses } from './provider.ts'
import { unreachable } from './provider-fault.ts'
import { type Person, personOfClaims } from './token.ts'

/** What must come back from the provider as it was sent, kept by the browser meanwhile. */
export type Flow = { state: string; nonce: string; verifier: string }

/** The dashboard's registration with the identity provider. */
export type Registration = {
  issuer: string
  clientId: string
  clientSecret?: string
  /** Whether the provider vouches for every address it gives. */
  vouches: boolean
}

/** The registration the operator has made; undefined when nobody can sign in by a provider. */
export function registrationOf(env: Settings): Registration | undefined {
  const { AUTH_ISSUER: issuer, AUTH_CLIENT_ID: clientId, AUTH_CLIENT_SECRET: clientSecret } = env
  if (!issuer || !clientId) return undefined
  return { issuer, clientId, clientSecret, vouches: vouchesForAddresses(env) }
}

export const newFlow = (): Flow => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
})

/** Where the browser is sent to sign in: authorization code with PKCE. */
export async function authorizationUrl(
  { issuer, clientId }: Registration,
  { state, nonce, verifier }: Flow,
  redirectUri: string,
): Promise<URL> {
  const { authorization_endpoint } = await discover(issuer)
  const url = new URL(String(authorization_endpoint))
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email',
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

/** Who came back from the provider, and what to call them; throws 401 unless the answer belongs to the flow and is good. */
export async function signIn(
  { issuer, clientId, clientSecret, vouches }: Registration,
  { state, nonce, verifier }: Flow,
  callback: URL,
  redirectUri: string,
): Promise<{ person: Person; name: string }> {
  const provider = await discover(issuer)
  const client = { client_id: clientId }
  const proof = clientSecret ? oauth.ClientSecretPost(clientSecret) : oauth.None()
  try {
    const answer = await oauth.authorizationCodeGrantRequest(
      provider,
      client,
      proof,
      oauth.validateAuthResponse(provider, client, callback, state),
      redirectUri,
      verifier,
      { signal: AbortSignal.timeout(5000) },
    )
    const tokens = await oauth.processAuthorizationCodeResponse(provider, client, answer, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    const person = claims && personOfClaims(claims, vouches)
    if (!person) throw refused()
    return { person, name: person.email ?? person.subject }
  } catch (error) {
    throw isRefusal(error) ? refused() : unreachable(issuer, error)
  }
}

const isRefusal = (error: unknown) =>
  error instanceof ApiError ||
  error instanceof oauth.OperationProcessingError ||
  error instanceof oauth.AuthorizationResponseError ||
  error instanceof oauth.ResponseBodyError ||
  error instanceof oauth.WWWAuthenticateChallengeError

const refused = () => new ApiError('UNAUTHORIZED', 'Signing in did not succeed; please try again.')
