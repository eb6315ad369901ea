import { ApiError } from '../model/api-error.ts'

const maxAttempts = 12

/** Repeats an attempt while it returns undefined, which says that another request changed the record. Throws 503 after the last attempt. */
export async function retryWhileChanged<Done>(
  attempt: () => Promise<Done | undefined>,
): Promise<Done> {
  for (let attempts = 1; attempts <= maxAttempts; attempts++) {
    const done = await attempt()
    if (done !== undefined) return done
    await pause(attempts)
  }
  throw new ApiError('UNAVAILABLE', 'Other requests are changing the same record: try again.', {
    'Retry-After': '1',
  })
}

/** Exponential back-off with jitter, so that of many writers each soon finds itself alone. */
const pause = (attempts: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(20 * 2 ** attempts, 2000)))
