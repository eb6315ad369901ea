import type { Command } from 'commander'
import { createSetUpCode } from '../../src/auth/one-time-codes.ts'
import { CommandError } from '../terminal/report.ts'
import { describeSetUpCode } from '../terminal/set-up-code.ts'
import { databaseAction } from './action.ts'

/** `set-up-code`: the code that opens the set-up page of a new installation. */
export function setUpCodeCommand(program: Command): void {
  program
    .command('set-up-code')
    .description(
      'Print a new code for the set-up page of a service without organisations; earlier ones stop working.',
    )
    .action(
      databaseAction(async ({ DB }) => {
        const code = await createSetUpCode(DB)
        if (code === undefined)
          throw new CommandError(
            'This service has an organisation already: add users with user add, and print their codes with user code.',
          )
        return { json: { code }, lines: describeSetUpCode(code, '') }
      }),
    )
}
