import { ApiError } from '../model/api-error.ts'
import { logError } from '../platform/log.ts'

const pauseMs = 1000

/** The time of the last failure, by address. */
const lastFailures = new Map<string, number>()

const maxConcurrent = 10

/** The number of open requests, by address. */
const openRequests = new Map<string, number>()

/** Fetches from the identity provider. Invalid tokens must not overload a slow provider, so at most ten requests are open and each failure causes a pause of a second. */
export async function fetchFromProvider(address: string, options: RequestInit): Promise<Response> {
  if (Date.now() - (lastFailures.get(address) ?? Number.NEGATIVE_INFINITY) < pauseMs) {
    throw new Error('The last request failed less than a second ago.')
  }
  const openCount = openRequests.get(address) ?? 0
  if (openCount >= maxConcurrent) throw new Error('Too many requests are open.')
  openRequests.set(address, openCount + 1)
  try {
    const response = await fetch(address, options)
    if (!response.ok) lastFailures.set(address, Date.now())
    return response
  } catch (error) {
    lastFailures.set(address, Date.now())
    throw error
  } finally {
    openRequests.set(address, (openRequests.get(address) ?? 1) - 1)
  }
}

/** Logs the cause and returns the 503 for an unavailable identity provider. The cause contains no token. */
export function providerUnavailable(issuer: string, error: unknown): ApiError {
  // Minifying changes the names of the libraries' errors, so log their codes.
  const cause =
    error instanceof Error
      ? `${'code' in error ? error.code : error.name}: ${error.message}`
      : 'unknown'
  logError('identity-provider', { issuer, cause })
  return new ApiError(
    'UNAVAILABLE',
    'The identity provider is unavailable; try again shortly, or use an API key.',
    { 'Retry-After': '5' },
  )
}
