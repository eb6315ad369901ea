import { ApiError } from '../model/api-error.ts'

/** Logs the cause, which contains no token, and returns the error 503 for an unavailable identity provider. */
export function providerUnavailable(issuer: string, error: unknown): ApiError {
  // Minifying changes the names of the libraries' errors, so log their codes.
  const cause =
    error instanceof Error
      ? `${'code' in error ? error.code : error.name}: ${error.message}`
      : 'unknown'
  console.error(JSON.stringify({ identityProvider: issuer, cause }))
  return new ApiError(
    'UNAVAILABLE',
    'The identity provider is unavailable; try again shortly, or use an API key.',
    { 'Retry-After': '5' },
  )
}
