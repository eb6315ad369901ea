import * as z from 'zod'
import {
  type ErrorCode,
  errorCodes,
  formatErrors,
  type ValidationError,
} from './validation-error.ts'

/** The types of errors with their statuses (contract 7, decisions 4). */
export const statuses = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  GONE: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const

export type ErrorType = keyof typeof statuses

/** Returns the error type of a status. */
export const errorTypeForStatus = (status: number) =>
  (Object.keys(statuses) as ErrorType[]).find((type) => statuses[type] === status)

/** Returns an error type in words, such as `Bad request`. */
export const titleFor = (type: ErrorType) =>
  type.charAt(0) + type.slice(1).toLowerCase().replaceAll('_', ' ')

/** An error that `handleError` turns into a response. */
export class ApiError extends Error {
  readonly type: ErrorType
  readonly headers: Record<string, string>
  /** The validation errors, if there are any. */
  readonly errors: readonly ValidationError[]

  constructor(
    type: ErrorType,
    message: string,
    headers: Record<string, string> = {},
    errors: readonly ValidationError[] = [],
  ) {
    super(message)
    this.type = type
    this.headers = headers
    this.errors = errors
  }
}

/** Returns the 400 for invalid input, with every error. */
export const invalidInput = (errors: readonly ValidationError[]) =>
  new ApiError('BAD_REQUEST', formatErrors(errors), {}, errors)

/** Returns the 400 for one invalid field or parameter. */
export const invalidField = (field: string, code: ErrorCode, message: string) =>
  invalidInput([{ field, message, code }])

/** Returns the 401 for invalid credentials. Unknown and revoked ones get the same message, so that it reveals nothing. */
export const invalidCredentials = () =>
  new ApiError(
    'UNAUTHORIZED',
    'These credentials are not valid here: the key or the user is not known to this organisation, was revoked or removed, or has expired.',
  )

const errorType = z
  .enum(Object.keys(statuses) as ErrorType[])
  .meta({ description: 'What went wrong, for programs.', examples: ['BAD_REQUEST'] })

/** The body of every error (contract 7, decisions 4). */
export const ErrorBody = z
  .strictObject({
    type: errorType,
    message: z.string().meta({
      description: 'The error for people: the parameter or field, and the allowed values.',
      examples: ['limit: must be a whole number from 1 to 250.'],
    }),
  })
  .meta({ id: 'Error', description: 'What went wrong.' })

/** The body of an error for requests that accept problem documents (RFC 9457, decisions 4). */
export const ProblemBody = z
  .strictObject({
    type: errorType,
    title: z.string().meta({ description: 'The type in words.', examples: ['Bad request'] }),
    status: z.int().meta({ description: 'The status of the response.', examples: [400] }),
    detail: z.string().meta({
      description: 'The error for people, like `message` in JSON.',
      examples: ['limit: must be a whole number from 1 to 250.'],
    }),
    errors: z
      .array(
        z.strictObject({
          field: z.string().meta({
            description: 'The parameter or field, or empty for the whole record.',
            examples: ['limit'],
          }),
          message: z.string().meta({
            description: 'The error for people.',
            examples: ['must be a whole number from 1 to 250.'],
          }),
          code: z.enum(errorCodes).meta({
            description: 'The error for programs. New codes may be added.',
            examples: ['too_large'],
          }),
        }),
      )
      .meta({ description: 'The invalid parameters and fields, at most 100; often empty.' }),
  })
  .meta({ id: 'Problem', description: 'What went wrong, as RFC 9457 describes it.' })
