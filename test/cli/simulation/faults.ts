import { ApiError, isErrorOf } from '../../../src/model/api-error.ts'
import { isMoving, isUnavailable } from '../../../src/platform/outage.ts'

/** The error of a request if its Worker ends before the response. */
export class WorkerEndedError extends Error {}

/** Whether an error follows from a fault or a move, so that nobody knows whether the request was served. */
export const isFault = (error: unknown): boolean =>
  error instanceof WorkerEndedError ||
  isErrorOf(error, 'UNAVAILABLE') ||
  (error instanceof Error && (isUnavailable(error) || isMoving(error)))

/** Returns the result of a request; undefined if it was refused or has met a fault. */
export async function attempt<Result>(request: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await request()
  } catch (error) {
    if (isFault(error) || error instanceof ApiError) return undefined
    throw error
  }
}

/** Whether a line of the log follows from a fault. The names of others, such as TypeError, are those of mistakes. */
export function isLoggedFault(line: string): boolean {
  const { error, databaseError = '' } = JSON.parse(line)
  const cause = new Error(databaseError)
  return databaseError
    ? isFault(cause)
    : [undefined, 'Error', 'TimeoutError', 'MailRefusal'].includes(error)
}
