import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import {
  ApiError,
  type ErrorType,
  OrganisationMovingError,
  statuses,
  titleFor,
} from '../model/api-error.ts'
import { firstErrors, type ValidationError } from '../model/validation-error.ts'
import { isMoving, isUnavailable } from '../platform/outage.ts'
import { acceptsProblem, problemType } from './accept.ts'
import type { HttpEnv } from './env.ts'

/** The error with which a response says why something was thrown; undefined for a fault of the service. */
export function toApiError(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown
  if (!(thrown instanceof Error)) return undefined
  if (isMoving(thrown)) return new OrganisationMovingError()
  if (!isUnavailable(thrown)) return undefined
  return new ApiError('UNAVAILABLE', 'The database is unavailable; try again shortly.', {
    'Retry-After': '1',
  })
}

/** Returns the response for a thrown error, and sets the context's error for the log of the request. */
export function handleError<Env extends HttpEnv>(thrown: Error, c: Context<Env>): Response {
  const error = toApiError(thrown) ?? thrown
  c.error = isMoving(thrown) ? error : thrown
  if (error instanceof ApiError) {
    const { type, message, headers, errors } = error
    return errorResponse(c, type, message, headers, errors)
  }
  // Hono throws this for invalid JSON, and its message would quote the body.
  if (error instanceof HTTPException)
    return errorResponse(c, 'BAD_REQUEST', 'The body is not valid JSON.')
  return errorResponse(
    c,
    'INTERNAL_ERROR',
    'Something went wrong: search the log for the x-request-id.',
  )
}

/** The 405 for a method that a path does not have. */
export function refuseMethod(c: Context, allowed: readonly string[]): Response {
  const methods = allowed.join(', ')
  return errorResponse(c, 'METHOD_NOT_ALLOWED', `This path allows only ${methods}.`, {
    Allow: methods,
  })
}

/** An error response: `{type, message}`, or a problem document if the request accepts one. */
export function errorResponse(
  c: Context,
  type: ErrorType,
  message: string,
  headers?: Record<string, string>,
  errors: readonly ValidationError[] = [],
): Response {
  const status = statuses[type]
  if (!acceptsProblem(c.req.header('Accept'))) return c.json({ type, message }, status, headers)
  const title = titleFor(type)
  const problem = { type, title, status, detail: message, errors: firstErrors(errors) }
  return c.json(problem, status, { ...headers, 'Content-Type': problemType })
}
