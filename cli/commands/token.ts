import type { Command } from 'commander'
import { localToken } from '../local-tokens.ts'
import { localState } from '../platform.ts'
import { Refusal } from '../refusal.ts'
import { action } from '../run.ts'

/** `token`: what a user of the local service sends as Authorization: Bearer. */
export function tokenCommand(program: Command): void {
  program
    .command('token <user>')
    .description('Make a token of a user, by email, for the service on this machine.')
    .action(
      action(async (_, [user = ''], { persistTo, remote }) => {
        if (remote) throw new Refusal('A deployed service takes tokens of its identity provider.')
        const token = await localToken(persistTo ?? localState, user)
        return { json: { token }, lines: [token] }
      }),
    )
}
