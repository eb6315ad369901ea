import { type ErrorType, statuses, titleFor } from '../../model/api-error.ts'
import { problemType } from '../accept.ts'
import { ErrorBody, ProblemBody } from '../error-bodies.ts'
import { referToHeaders } from './headers.ts'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'

const errorDescriptions: Partial<Record<ErrorType, string>> = {
  BAD_REQUEST:
    'The request is malformed; the message names the parameter or field and says what is allowed.',
  UNAUTHORIZED: 'The credentials are missing or invalid, or belong to another organisation.',
  FORBIDDEN:
    'The record belongs to another organisation, or the credentials lack a permission or are restricted to other collections or networks.',
  NOT_FOUND: 'The record does not exist.',
  CONFLICT: 'A record with this id already exists, or other records refer to it.',
  GONE: 'The cursor is older than the stored deletions: start again without one.',
  PRECONDITION_FAILED:
    'The record does not meet the precondition in `If-Match` or `If-None-Match`.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 1 MiB, or an imported file is larger than 50 MiB.',
  UNSUPPORTED_MEDIA_TYPE:
    'The `Content-Type` is not supported: send JSON in UTF-8, or a file in a supported format.',
  UNPROCESSABLE: 'The `Idempotency-Key` was used for another request.',
  RATE_LIMITED: 'Too many requests: try again after the seconds in `Retry-After`.',
  INTERNAL_ERROR: 'Something went wrong in the service.',
  UNAVAILABLE:
    'The database or the identity provider is unavailable: try again after the seconds in `Retry-After`.',
}

/**
 * The error responses that all operations share, by status. Sharing keeps the document small:
 * Swagger UI parses all of it to show one operation.
 */
export const buildErrorResponses = (schemas: Record<string, JsonSchema>) =>
  Object.fromEntries(
    Object.entries(errorDescriptions).map(([type, description]) => [
      statuses[type as ErrorType],
      buildErrorResponse(type as ErrorType, description, schemas),
    ]),
  )

const buildErrorResponse = (
  type: ErrorType,
  description: string,
  schemas: Record<string, JsonSchema>,
) => ({
  description,
  headers: referToHeaders([
    ...(type === 'UNAUTHORIZED' ? [] : (['RateLimit'] as const)),
    ...(['RateLimit-Policy', 'X-Request-Id'] as const),
    ...(type === 'RATE_LIMITED' || type === 'UNAVAILABLE' ? (['Retry-After'] as const) : []),
  ]),
  content: {
    'application/json': {
      schema: toJsonSchema(ErrorBody, 'output', schemas),
      example: { type, message: description },
    },
    [problemType]: {
      'x-addition': true,
      schema: toJsonSchema(ProblemBody, 'output', schemas),
      example: {
        type,
        title: titleFor(type),
        status: statuses[type],
        detail: description,
        errors: [],
      },
    },
  },
})
