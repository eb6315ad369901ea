import type { Context } from 'hono'
import * as z from 'zod'
import type { Env } from '../env.ts'
import { isOutOfReach, loggable } from '../store/outage.ts'

const statuses = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const

type ErrorType = keyof typeof statuses

/** The type of the errors that have this status. */
export const errorTypeOf = (status: number) =>
  (Object.keys(statuses) as ErrorType[]).find((type) => statuses[type] === status)

/** The body of every error (contract 7, decisions 4). */
export const ErrorBody = z
  .strictObject({
    type: z
      .enum(Object.keys(statuses) as ErrorType[])
      .meta({ description: 'What went wrong, for programs.' }),
    message: z.string().meta({ description: 'What went wrong and what is allowed, for people.' }),
  })
  .meta({ id: 'Error', description: 'What went wrong.' })

/** Thrown wherever a request cannot be answered as asked; `answerError` makes the answer of it. */
export class ApiError extends Error {
  readonly type: ErrorType
  readonly headers: Record<string, string>

  constructor(type: ErrorType, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.type = type
    this.headers = headers
  }
}

/** The answer to whatever was thrown. What is not an ApiError is logged. */
export function answerError(error: Error, c: Context<Env>): Response {
  if (error instanceof ApiError) return errorResponse(c, error.type, error.message, error.headers)
  logError(error, c)
  if (isOutOfReach(error)) {
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
export function logError(error: Error, c: Context<Env>): void {
  console.error(JSON.stringify({ requestId: c.var.requestId, ...loggable(error) }))
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
