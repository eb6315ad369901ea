import type { Command } from 'commander'
import { localState } from '../state/bindings.ts'
import { createLocalToken } from '../state/local-tokens.ts'
import { CommandError } from '../terminal/refusal.ts'
import { databaseAction } from './action.ts'

/** `token`: what a user of the local service sends as Authorization: Bearer. */
export function tokenCommand(program: Command): void {
  program
    .command('token <user>')
    .description('Make a token of a user, by email, for the service on this machine.')
    .action(
      databaseAction(async (_, [user = ''], { persistTo, remote }) => {
        if (remote)
          throw new CommandError('A deployed service takes tokens of its identity provider.')
        const token = await createLocalToken(persistTo ?? localState, user)
        return { json: { token }, lines: [token] }
      }),
    )
}
