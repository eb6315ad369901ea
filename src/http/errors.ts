import type { Context } from 'hono'
import { ApiError, type ErrorType, statuses } from '../model/api-error.ts'
import { isUnavailable, toLogFields } from '../platform/outage.ts'
import type { HttpEnv } from './env.ts'

/** The answer to whatever was thrown. What is not an ApiError is logged. */
export function handleError<Env extends HttpEnv>(error: Error, c: Context<Env>): Response {
  if (error instanceof ApiError) return errorResponse(c, error.type, error.message, error.headers)
  logError(error, c.var.requestId)
  if (isUnavailable(error)) {
    return errorResponse(c, 'UNAVAILABLE', 'The database is out of reach; try again shortly.', {
      'Retry-After': '1',
    })
  }
  return errorResponse(
    c,
    'INTERNAL_ERROR',
    'Something went wrong here; the log has it under the x-request-id.',
  )
}

/** Logs an error of a request without its message, which may hold personal data. */
export function logError(error: Error, requestId: string): void {
  console.error(JSON.stringify({ requestId, ...toLogFields(error) }))
}

/** An error answer: `{type, message}` with the status that belongs to the type. */
export function errorResponse(
  c: Context,
  type: ErrorType,
  message: string,
  headers?: Record<string, string>,
): Response {
  return c.json({ type, message }, statuses[type], headers)
}
