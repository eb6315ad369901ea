const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** How long after each attempt that failed the next one is made (additions 3). */
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

/** How many attempts are made of a message that a receiver refuses while it takes others. */
export const maxAttempts = retryDelaysMs.length + 1

/** How long a receiver is tried that takes nothing; and how long a message at least, in milliseconds. */
export const giveUpAfterMs = { webhook: 5 * 24 * hour, message: 75 * hour }

/** When to try again, in milliseconds: after so many attempts, with up to a fifth more by chance, and not before the receiver wants it. */
export function nextAttemptTime(
  attempts: number,
  now: number,
  random: number,
  restUntil: number | undefined,
): number {
  const delay = retryDelaysMs[attempts - 1] ?? maxDelayMs
  return Math.max(now + Math.round(delay * (1 + random / 5)), restUntil ?? 0)
}

/** What `Retry-After` asks for, in milliseconds: seconds, or a date; at most a day. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const time = /^\d+$/.test(header) ? now + Number(header) * second : Date.parse(header)
  return time > now ? Math.min(time, now + maxDelayMs) : undefined
}
