import {
  type AuthorizationServer,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from 'oauth4webapi'
import { unreachable } from './provider-fault.ts'
import { providerFetch } from './provider-fetch.ts'

// Only what was found is kept: workerd lets no request wait for another's fetch.
const discovered = new Map<string, AuthorizationServer>()

/** What the provider says of itself at `<issuer>/.well-known/openid-configuration`; throws UNAVAILABLE when it cannot be asked. */
export async function discover(issuer: string): Promise<AuthorizationServer> {
  const known = discovered.get(issuer)
  if (known) return known
  try {
    const url = new URL(issuer)
    const answer = await discoveryRequest(url, {
      signal: AbortSignal.timeout(5000),
      [customFetch]: providerFetch,
    })
    const found = await processDiscoveryResponse(url, answer)
    discovered.set(issuer, found)
    return found
  } catch (error) {
    throw unreachable(issuer, error)
  }
}
