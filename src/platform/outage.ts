import { TimeoutError } from './timeout.ts'

// D1 errors that a retry may resolve (Cloudflare's D1 documentation, "Debug D1").
const transientError =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|overloaded|timed out|timeout|internal error|Cannot resolve D1|too many requests/i

/** Whether an error means that the database is unavailable and a retry may succeed. */
export const isUnavailable = (error: Error) =>
  error instanceof TimeoutError ||
  error.cause instanceof TimeoutError ||
  transientError.test(databaseMessage(error) ?? '')

/** The message with which a trigger refuses to write to an organisation that is being moved. */
export const movingMessage = 'organisation_moving'

/** Whether a write was refused because its organisation is being moved. */
export const isMoving = (error: Error) => (databaseMessage(error) ?? '').includes(movingMessage)

/** Whether the connection to the database broke. Reads can be retried at once. */
export const isConnectionLost = (error: unknown) =>
  error instanceof Error && /Network connection lost/i.test(databaseMessage(error) ?? '')

/** The parts of an error that are safe to log: name, D1's message and stack frames. D1's message has no parameters. */
export function toLogFields(error: Error) {
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    error: error.name,
    databaseError: databaseMessage(error),
    at: frames.slice(0, 8).map((line) => line.trim()),
  }
}

// D1 repeats its message in the cause without the prefix. Drizzle wraps D1's error in another that
// contains the SQL and its parameters.
function databaseMessage({ message, cause }: Error): string | undefined {
  const messages = [message, cause instanceof Error ? cause.message : '']
  return messages.find((text) => text.startsWith('D1_'))
}
