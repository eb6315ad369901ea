const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The delay after each failed attempt. */
const retryDelaysMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

const maxDelayMs = 24 * hour

/** The maximum number of attempts for a message that a receiver rejects while it accepts others. */
export const maxAttempts = retryDelaysMs.length + 1

/** The time limits of retries, in milliseconds: the maximum for a failing receiver, the minimum for a single message. */
export const giveUpAfterMs = { webhook: 5 * 24 * hour, message: 75 * hour }

/** The time of the next attempt, in milliseconds: a delay with jitter, but no earlier than the receiver's `Retry-After`. */
export function nextAttemptTime(
  attempts: number,
  now: number,
  random: number,
  retryAfterMs: number | undefined,
): number {
  const delay = retryDelaysMs[attempts - 1] ?? maxDelayMs
  return Math.max(now + Math.round(delay * (1 + random / 5)), retryAfterMs ?? 0)
}

/** Parses `Retry-After` as a time in milliseconds: seconds or a date, at most a day ahead. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const time = /^\d+$/.test(header) ? now + Number(header) * second : Date.parse(header)
  return time > now ? Math.min(time, now + maxDelayMs) : undefined
}
