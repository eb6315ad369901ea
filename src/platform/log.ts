import { toLogFields } from './outage.ts'

/** The part of the service that writes a line. `docs/operating.md` lists the fields of each. */
type LogEvent =
  | 'request'
  | 'organisation-moving'
  | 'response'
  | 'background'
  | 'webhook'
  | 'webhook-disabled'
  | 'webhook-secrets'
  | 'queue'
  | 'schedule'
  | 'database-size'
  | 'retention'
  | 'sign-ups'
  | 'mail'
  | 'geography'
  | 'identity-provider'

type LogFields = Record<string, string | number | undefined>

/** Writes one line of JSON about something that is no failure of the service, such as a refused request. */
export function logWarning(event: LogEvent, fields: LogFields): void {
  console.warn(JSON.stringify({ event, ...fields }))
}

/** Writes one line of JSON about a failure. Leaves out the error's message, which may contain personal data. */
export function logError(event: LogEvent, fields: LogFields, error?: unknown): void {
  const cause = error instanceof Error ? toLogFields(error) : undefined
  console.error(JSON.stringify({ event, ...fields, ...cause }))
}

/** Runs a task. Logs a failure and returns undefined instead of throwing it, so that other work goes on. */
export async function tolerate<Result>(
  event: LogEvent,
  fields: LogFields,
  task: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await task()
  } catch (error) {
    logError(event, fields, error)
    return undefined
  }
}
