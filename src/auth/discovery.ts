import {
  type AuthorizationServer,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from 'oauth4webapi'
import { fetchFromProvider, providerUnavailable } from './provider-fetch.ts'

// Caches results, not promises: in workerd, a request cannot wait for another request's fetch.
const metadataByIssuer = new Map<string, AuthorizationServer>()

/** The provider's metadata from `<issuer>/.well-known/openid-configuration`. Throws UNAVAILABLE if it cannot be fetched. */
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
