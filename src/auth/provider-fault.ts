import { ApiError } from '../model/api-error.ts'

/** The answer 503 while the identity provider is out of reach; the cause, which holds no token, is logged. */
export function providerUnavailable(issuer: string, error: unknown): ApiError {
  // The libraries' errors have codes; their names do not survive minifying.
  const cause =
    error instanceof Error
      ? `${'code' in error ? error.code : error.name}: ${error.message}`
      : 'unknown'
  console.error(JSON.stringify({ identityProvider: issuer, cause }))
  return new ApiError(
    'UNAVAILABLE',
    'The identity provider is out of reach; try again shortly, or use an API key.',
    { 'Retry-After': '5' },
  )
}
