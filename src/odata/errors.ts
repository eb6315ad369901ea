import type { Context } from 'hono'
import type { WorkerEnv } from '../auth/env.ts'
import { handleError } from '../http/errors.ts'
import { ApiError, errorTypeForStatus, statuses } from '../model/api-error.ts'

const unsupportedCodes = { 406: 'NOT_ACCEPTABLE', 501: 'NOT_IMPLEMENTED' } as const

/** The error for a format (406) or a part of OData (501) that this service does not have. */
export class UnsupportedError extends Error {
  readonly status: keyof typeof unsupportedCodes

  constructor(status: keyof typeof unsupportedCodes, message: string) {
    super(message)
    this.status = status
  }
}

/** The response for a thrown error in the format of OData (OData JSON Format 4.0, 19). */
export function respondWithError(error: Error, c: Context<WorkerEnv>): Response {
  if (error instanceof UnsupportedError) {
    const { status, message } = error
    return c.json(buildBody(unsupportedCodes[status], message), status)
  }
  const { status, headers } = handleError(error, c)
  const type = errorTypeForStatus(status) ?? 'INTERNAL_ERROR'
  if (type === 'UNAUTHORIZED') {
    return c.json(buildBody(type, signInMessage), 401, {
      'WWW-Authenticate': 'Basic realm="API key as the password, any user name", charset="UTF-8"',
    })
  }
  const message =
    error instanceof ApiError
      ? error.message
      : 'Something went wrong: try again, or search the log for the x-request-id.'
  const otherHeaders = [...headers].filter(([name]) => ['retry-after', 'allow'].includes(name))
  return c.json(buildBody(type, message), statuses[type], Object.fromEntries(otherHeaders))
}

// One message for all reasons, because none may reveal whether a key or an organisation exists.
const signInMessage =
  'Sign in with Basic authentication: any user name, and as the password an API key of the organisation in the address. The key must be complete and valid.'

const buildBody = (code: string, message: string) => ({ error: { code, message } })
