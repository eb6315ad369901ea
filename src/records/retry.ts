import { ApiError } from '../model/api-error.ts'

const maxAttempts = 12
const minPauseMs = 20

/** Repeats an attempt while it returns undefined because another request changed the record. Throws 503 after the last attempt. */
export async function retryWhileChanged<Result>(
  attempt: () => Promise<Result | undefined>,
): Promise<Result> {
  for (let attempts = 1; attempts <= maxAttempts; attempts++) {
    const start = Date.now()
    const result = await attempt()
    if (result !== undefined) return result
    await pause(attempts, Date.now() - start)
  }
  throw new ApiError('UNAVAILABLE', 'Other requests are changing the same record: try again.', {
    'Retry-After': '1',
  })
}

/**
 * Waits with exponential back-off and jitter to spread concurrent writers. The pause grows with the
 * duration of an attempt: on a busy database, short pauses would collide again.
 */
const pause = (attempts: number, durationMs: number) => {
  const maxPauseMs = Math.max(durationMs, minPauseMs) * Math.min(2 ** attempts, 100)
  return new Promise((resolve) => setTimeout(resolve, Math.random() * maxPauseMs))
}
