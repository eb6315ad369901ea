import { ApiError, type ErrorType } from '../model/api-error.ts'
import { texts } from '../texts/texts.ts'

/** The reasons why a public page refuses a request, with the types of the errors. */
const types = {
  noPage: 'NOT_FOUND',
  noEvent: 'NOT_FOUND',
  eventOver: 'CONFLICT',
  eventRemoved: 'NOT_FOUND',
  noBooking: 'NOT_FOUND',
  bookingUnchangeable: 'CONFLICT',
  placeLost: 'CONFLICT',
  noUnsubscribing: 'NOT_FOUND',
  noForm: 'NOT_FOUND',
  formChanged: 'GONE',
  formClosed: 'GONE',
  noLink: 'NOT_FOUND',
  linkExpired: 'GONE',
  alreadyAnswered: 'GONE',
  formIncomplete: 'BAD_REQUEST',
  answersTooLong: 'PAYLOAD_TOO_LARGE',
  otherMediaType: 'UNSUPPORTED_MEDIA_TYPE',
  sentTooFast: 'BAD_REQUEST',
  personUnconfirmed: 'BAD_REQUEST',
  tooManyMessages: 'RATE_LIMITED',
} as const satisfies Record<string, ErrorType>

export type Refusal = keyof typeof types

/** The refusal of a request to a public page, in the words of the texts. */
export class PublicError extends ApiError {
  readonly reason: Refusal
  override readonly isSuspect: boolean
  /** The name of the form or event that the page is about, if its reader may know it. */
  readonly subject: string | undefined

  constructor(reason: Refusal, subject?: string) {
    super(types[reason], texts.refusals[reason])
    this.reason = reason
    this.isSuspect = reason === 'sentTooFast' || reason === 'personUnconfirmed'
    this.subject = subject
  }
}

/** The code by which an address names the reason of a refusal. */
export const codeOf = (error: ApiError): string =>
  error instanceof PublicError ? error.reason : error.type

/** The words for the code of a refusal. */
export function describeCode(code: string): string {
  const words = new Map(Object.entries({ ...texts.errors.byType, ...texts.refusals }))
  return words.get(code) ?? texts.errors.other
}

/** The words of any error on a public page. */
export const describeError = (error: unknown): string =>
  error instanceof ApiError ? describeCode(codeOf(error)) : texts.errors.other
