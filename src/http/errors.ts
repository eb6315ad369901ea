import type { Context } from 'hono'
import { ApiError, type ErrorType, statuses } from '../model/api-error.ts'
import { isUnavailable, toLogFields } from '../platform/outage.ts'
import type { HttpEnv } from './env.ts'

/** Returns the response for a thrown error. Logs it unless it is an ApiError. */
export function handleError<Env extends HttpEnv>(error: Error, c: Context<Env>): Response {
  if (error instanceof ApiError) return errorResponse(c, error.type, error.message, error.headers)
  logError(error, c.var.requestId)
  if (isUnavailable(error)) {
    return errorResponse(c, 'UNAVAILABLE', 'The database is unavailable; try again shortly.', {
      'Retry-After': '1',
    })
  }
  return errorResponse(
    c,
    'INTERNAL_ERROR',
    'Something went wrong: search the log for the x-request-id.',
  )
}

/** Logs an error without its message, which may contain personal data. */
export function logError(error: Error, requestId: string): void {
  console.error(JSON.stringify({ requestId, ...toLogFields(error) }))
}

/** Returns an error response: `{type, message}` with the status of the type. */
export function errorResponse(
  c: Context,
  type: ErrorType,
  message: string,
  headers?: Record<string, string>,
): Response {
  return c.json({ type, message }, statuses[type], headers)
}
