import type { Command } from 'commander'
import { Interrupted, Unreadable } from '../../src/import/read.ts'
import { ApiError } from '../../src/model/api-error.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { loggable } from '../../src/platform/outage.ts'
import { type Target, withBindings } from '../state/bindings.ts'
import { Refusal } from '../terminal/refusal.ts'

/** Who acts, in an audit record of what is done here. */
export const by = 'command line'

/** What the operator may say with every command. */
export type Options = Target & { json?: boolean }

/** What came of a command: an object for programs (`--json`), lines for people, and whether all was done. */
export type Report = { json: object; lines: readonly string[]; done?: boolean }

/** A commander action that works on the target's bindings and reports; the exit code is 0 only when all was done. */
export const action = <More extends object = object>(
  work: (bindings: Databases, args: string[], options: Options & More) => Promise<Report>,
) =>
  reporting<More>((args, options) =>
    withBindings(options, (bindings) => work(bindings, args, options)),
  )

/** The same of what needs no bindings, or opens them itself. */
export function reporting<More extends object = object>(
  work: (args: string[], options: Options & More) => Promise<Report>,
) {
  return async function (this: Command): Promise<void> {
    const options = this.optsWithGlobals<Options & More>()
    try {
      const report = await work(this.args, options)
      const text = options.json ? JSON.stringify(report.json) : report.lines.join('\n')
      if (text) process.stdout.write(`${text}\n`)
      if (report.done === false) process.exitCode = 1
    } catch (error) {
      const message = messageOf(error)
      process.stderr.write(`${message}\n`)
      if (options.json) process.stdout.write(`${JSON.stringify({ error: message })}\n`)
      process.exitCode = 1
    }
  }
}

// The message of an error that nobody foresaw may hold a record.
function messageOf(error: unknown): string {
  if (error instanceof Refusal || error instanceof Unreadable || error instanceof ApiError)
    return error.message
  if (error instanceof Interrupted) return `${error.message}\n${messageOf(error.cause)}`
  const known = error instanceof Error ? loggable(error) : {}
  return `This went wrong here: ${JSON.stringify(known)}`
}
