import type { Command } from 'commander'
import { openOrganisation } from '../../src/admin/open-organisation.ts'
import { ImportInterruptedError, UnreadableFileError } from '../../src/import/source/source.ts'
import { ApiError, OrganisationMovingError } from '../../src/model/api-error.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { isMoving, toLogFields } from '../../src/platform/outage.ts'
import { isBusyMessage } from '../../src/platform/retry.ts'
import { type StateTarget, withBindings } from '../state/bindings.ts'
import { CommandError, type Report } from '../terminal/report.ts'

/** The actor in audit log entries of the command line. */
export const by = 'command line'

/** The options of every command. */
export type CommandOptions = StateTarget & { json?: boolean }

/** A commander action that opens the databases. The exit code is 0 only if everything succeeded. */
export const databaseAction = <More extends object = object>(
  work: (bindings: Databases, args: string[], options: CommandOptions & More) => Promise<Report>,
) =>
  reportAction<More>((args, options) =>
    withBindings(options, (bindings) => work(bindings, args, options)),
  )

/** A commander action for an organisation, its first argument: `DB` is the organisation's database. */
export const organisationAction = <More extends object = object>(
  work: (bindings: Databases, args: string[], options: CommandOptions & More) => Promise<Report>,
) =>
  databaseAction<More>(async (bindings, args, options) =>
    work(await openOrganisation(bindings, args[0] ?? ''), args, options),
  )

/** A commander action without databases. */
export function reportAction<More extends object = object>(
  work: (args: string[], options: CommandOptions & More) => Promise<Report>,
) {
  return async function (this: Command): Promise<void> {
    const options = this.optsWithGlobals<CommandOptions & More>()
    try {
      const report = await work(this.args, options)
      const text = options.json ? JSON.stringify(report.json) : report.lines.join('\n')
      if (text) process.stdout.write(`${text}\n`)
      if (report.done === false) process.exitCode = 1
    } catch (error) {
      const message = errorMessage(error)
      process.stderr.write(`${message}\n`)
      if (options.json) process.stdout.write(`${JSON.stringify({ error: message })}\n`)
      process.exitCode = 1
    }
  }
}

const busyMessage =
  'Another program, such as npm start, uses these databases all the time: stop it, and repeat the command.'

// The message of an unexpected error may contain a record.
function errorMessage(error: unknown): string {
  if (
    error instanceof CommandError ||
    error instanceof UnreadableFileError ||
    error instanceof ApiError
  )
    return error.message
  if (error instanceof ImportInterruptedError)
    return `${error.message}\n${errorMessage(error.cause)}`
  if (error instanceof Error && isMoving(error)) return new OrganisationMovingError().message
  if (error instanceof Error && isBusyMessage(error.message)) return busyMessage
  const fields = error instanceof Error ? toLogFields(error) : {}
  return `This went wrong here: ${JSON.stringify(fields)}`
}
