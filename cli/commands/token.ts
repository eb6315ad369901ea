import type { Command } from 'commander'
import { localState } from '../state/bindings.ts'
import { createLocalToken } from '../state/local-tokens.ts'
import { CommandError } from '../terminal/report.ts'
import { databaseAction } from './action.ts'

/** `token`: creates a bearer token for a user of the local service. */
export function tokenCommand(program: Command): void {
  program
    .command('token <user>')
    .description('Create a token for a user, by email, for the local service.')
    .action(
      databaseAction(async (_, [user = ''], { persistTo, remote }) => {
        if (remote)
          throw new CommandError('A deployed service accepts only tokens of its identity provider.')
        const token = await createLocalToken(persistTo ?? localState, user)
        return { json: { token }, lines: [token] }
      }),
    )
}
