import * as oauth from 'oauth4webapi'
import { ApiError } from '../model/api-error.ts'
import type { Settings } from '../platform/bindings.ts'
import { discoverProvider } from './discovery.ts'
import { requireIdentitySettings, trustsAllEmails } from './identity-settings.ts'
import { type LocalProvider, localProvider } from './provider.ts'
import { providerUnavailable } from './provider-fetch.ts'
import { type Person, personFromClaims } from './token.ts'

/** The values that the provider must return unchanged; a cookie holds them during the sign-in. */
type SignInFlow = { state: string; nonce: string; verifier: string }

/** The dashboard's registration with the identity provider. */
type ClientRegistration = {
  issuer: string
  clientId: string
  clientSecret?: string
  /** Whether every e-mail address of the provider counts as verified. */
  trustsAllEmails: boolean
}

/** Whether users sign in with an account of an identity provider. Without one, each needs a code. */
export const hasProvider = (env: Settings & LocalProvider): boolean =>
  localProvider in env || Boolean(env.AUTH_ISSUER && env.AUTH_CLIENT_ID)

/** The configured registration; undefined if sign-in with a provider is not configured. */
export function clientRegistration(env: Settings): ClientRegistration | undefined {
  const { AUTH_ISSUER: issuer, AUTH_CLIENT_ID: clientId, AUTH_CLIENT_SECRET: clientSecret } = env
  if (!issuer || !clientId) return undefined
  requireIdentitySettings(env)
  return { issuer, clientId, clientSecret, trustsAllEmails: trustsAllEmails(env) }
}

export const createSignInFlow = (): SignInFlow => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
})

/** The URL that starts the sign-in: authorization code with PKCE. */
export async function buildAuthorizationUrl(
  { issuer, clientId }: ClientRegistration,
  { state, nonce, verifier }: SignInFlow,
  redirectUri: string,
): Promise<URL> {
  const { authorization_endpoint } = await discoverProvider(issuer)
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

/** The person who signed in and their name. Throws 401 if the callback is invalid or belongs to another flow. */
export async function completeSignIn(
  { issuer, clientId, clientSecret, trustsAllEmails }: ClientRegistration,
  { state, nonce, verifier }: SignInFlow,
  callback: URL,
  redirectUri: string,
): Promise<{ person: Person; name: string }> {
  const provider = await discoverProvider(issuer)
  const client = { client_id: clientId }
  const clientAuthentication = clientSecret ? oauth.ClientSecretPost(clientSecret) : oauth.None()
  try {
    const response = await oauth.authorizationCodeGrantRequest(
      provider,
      client,
      clientAuthentication,
      oauth.validateAuthResponse(provider, client, callback, state),
      redirectUri,
      verifier,
      { signal: AbortSignal.timeout(5000) },
    )
    const tokens = await oauth.processAuthorizationCodeResponse(provider, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    const person = claims && personFromClaims(claims, trustsAllEmails)
    if (!person) throw signInFailed()
    return { person, name: person.email ?? person.subject }
  } catch (error) {
    throw isRejection(error) ? signInFailed() : providerUnavailable(issuer, error)
  }
}

const isRejection = (error: unknown) =>
  error instanceof ApiError ||
  error instanceof oauth.OperationProcessingError ||
  error instanceof oauth.AuthorizationResponseError ||
  error instanceof oauth.ResponseBodyError ||
  error instanceof oauth.WWWAuthenticateChallengeError

const signInFailed = () => new ApiError('UNAUTHORIZED', 'The sign-in failed: try again.')
