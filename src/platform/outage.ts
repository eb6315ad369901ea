// What D1 answers when a later attempt may succeed (Cloudflare's D1 documentation, "Debug D1").
const transientError =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|overloaded|timed out|timeout|internal error|Cannot resolve D1|too many requests/i

/** Whether `error` comes of a database that is out of reach, so that a retry may work. */
export const isUnavailable = (error: Error) => transientError.test(databaseMessage(error) ?? '')

/** Whether `error` says that the way to the database broke, so that what only reads may be asked again at once. */
export const isConnectionLost = (error: unknown) =>
  error instanceof Error && /Network connection lost/i.test(databaseMessage(error) ?? '')

/** What a log may hold of an error: its name, the database's own words, which hold no parameters, and places in the code. */
export function toLogFields(error: Error) {
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    error: error.name,
    database: databaseMessage(error),
    at: frames.slice(0, 8).map((line) => line.trim()),
  }
}

// D1 repeats its words in the cause, less their beginning; Drizzle wraps an error of D1 in one whose
// message holds the SQL and its parameters.
function databaseMessage({ message, cause }: Error): string | undefined {
  const messages = [message, cause instanceof Error ? cause.message : '']
  return messages.find((text) => text.startsWith('D1_'))
}
