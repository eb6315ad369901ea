import { formatNumber } from '../platform/format-number.ts'
import { type ErrorCode, formatErrors, type ValidationError } from './validation-error.ts'

/** The types of errors with their statuses. */
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

export const errorTypeForStatus = (status: number) =>
  (Object.keys(statuses) as ErrorType[]).find((type) => statuses[type] === status)

export const titleFor = (type: ErrorType) =>
  type.charAt(0) + type.slice(1).toLowerCase().replaceAll('_', ' ')

/** An error that `handleError` turns into a response. */
export class ApiError extends Error {
  readonly type: ErrorType
  readonly headers: Record<string, string>
  /** The validation errors, if there are any. */
  readonly errors: readonly ValidationError[]
  /** Whether the request is logged, whatever the status of its response. */
  readonly isSuspect: boolean = false

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

/** The 404 for a page of an organisation to which the user does not belong. */
export class NoMembershipError extends ApiError {
  override readonly isSuspect = true

  constructor() {
    super('NOT_FOUND', 'This page does not exist, or you do not have access to it.')
  }
}

/** Whether an error is one of these types of `ApiError`. */
export const isErrorOf = <Type extends ErrorType>(
  error: unknown,
  ...types: readonly Type[]
): error is ApiError & { type: Type } =>
  error instanceof ApiError && types.some((type) => type === error.type)

/** The 400 for invalid input, with every error. */
export const invalidInput = (errors: readonly ValidationError[]) =>
  new ApiError('BAD_REQUEST', formatErrors(errors), {}, errors)

/** The 409 for input that contradicts the stored records, with every error. */
export const conflictingInput = (errors: readonly ValidationError[]) =>
  new ApiError('CONFLICT', formatErrors(errors), {}, errors)

/** The 400 for one invalid field or parameter. */
export const invalidField = (field: string, code: ErrorCode, message: string) =>
  invalidInput([{ field, message, code }])

/** The 400 for a query that would read more than `maxRows` rows, with advice on how to narrow it. */
export class CostlyQueryError extends ApiError {
  readonly advice: string

  constructor(maxRows: number, advice: string) {
    super('BAD_REQUEST', `This would read more than ${formatNumber(maxRows)} rows. ${advice}`)
    this.advice = advice
  }
}

/** The 401 for invalid credentials. Unknown and revoked ones get the same message, so that it reveals nothing. */
export const invalidCredentials = () =>
  new ApiError(
    'UNAUTHORIZED',
    'These credentials are not valid here: the key or the user is not known to this organisation, was revoked or removed, or has expired.',
  )

/** The 503 for a request to an organisation that is being moved to another database. The operator planned it, so the log distinguishes it from a failure. */
export class OrganisationMovingError extends ApiError {
  constructor() {
    super(
      'UNAVAILABLE',
      'This organisation is being moved to another database: nothing can be written for a few minutes. Send the request again then.',
      { 'Retry-After': '10' },
    )
  }
}
