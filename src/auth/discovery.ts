import {
  type AuthorizationServer,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from 'oauth4webapi'
import { providerUnavailable } from './provider-fault.ts'
import { fetchFromProvider } from './provider-fetch.ts'

// Only what was found is kept: workerd lets no request wait for another's fetch.
const metadataByIssuer = new Map<string, AuthorizationServer>()

/** What the provider says of itself at `<issuer>/.well-known/openid-configuration`; throws UNAVAILABLE when it cannot be asked. */
export async function discoverProvider(issuer: string): Promise<AuthorizationServer> {
  const cached = metadataByIssuer.get(issuer)
  if (cached) return cached
  try {
    const url = new URL(issuer)
    const response = await discoveryRequest(url, {
      signal: AbortSignal.timeout(5000),
      [customFetch]: fetchFromProvider,
    })
    const metadata = await processDiscoveryResponse(url, response)
    metadataByIssuer.set(issuer, metadata)
    return metadata
  } catch (error) {
    throw providerUnavailable(issuer, error)
  }
}
