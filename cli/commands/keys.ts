import type { Command } from 'commander'
import { drizzle } from 'drizzle-orm/d1'
import {
  createKey,
  deleteKey,
  listKeys,
  reactivateKey,
  revokeKey,
} from '../../src/auth/api-keys.ts'
import type { Bindings } from '../../src/env.ts'
import { organisationExists } from '../../src/store/organisations.ts'
import { Refusal } from '../refusal.ts'
import { action } from '../run.ts'

/** `key create`, `list`, `revoke`, `reactivate` and `delete` (contract 5). */
export function keyCommands(program: Command): void {
  const key = program.command('key').description("The organisations' API keys.")
  key
    .command('create <organisation>')
    .description('Make a key; it is shown this once.')
    .requiredOption('--name <name>', 'what the key is for')
    .action(
      action<{ name: string }>(async (bindings, [organisation = ''], { name }) => {
        if (!(await organisationExists(bindings.DB, organisation))) {
          throw new Refusal(`There is no organisation ${organisation}.`)
        }
        const created = await createKey(bindings, organisation, name)
        return { json: created, lines: [created.key, 'Keep it safe: it is not shown again.'] }
      }),
    )
  key
    .command('list [organisation]')
    .description('List the keys of an organisation, or of all.')
    .action(
      action(async ({ DB }, [organisation]) => {
        const keys = await listKeys(drizzle(DB), organisation)
        return {
          json: { keys },
          lines: keys.map(
            ({ id, organisationId, name, prefix, revoked }) =>
              `${id}  ${organisationId}  ${prefix}…  ${revoked ? 'revoked' : 'active'}  ${name}`,
          ),
        }
      }),
    )
  change(key, 'revoke', 'Refuse a key from its next request on.', ({ DB }, id) =>
    revokeKey(drizzle(DB), id),
  )
  change(key, 'reactivate', 'Accept a revoked key again.', ({ DB }, id) =>
    reactivateKey(drizzle(DB), id),
  )
  change(key, 'delete', 'Delete a key for good.', deleteKey)
}

function change(
  key: Command,
  verb: string,
  description: string,
  act: (bindings: Bindings, id: string) => Promise<boolean>,
): void {
  key
    .command(`${verb} <key-id>`)
    .description(description)
    .action(
      action(async (bindings, [id = '']) => {
        if (!(await act(bindings, id))) throw new Refusal(`There is no key ${id} to ${verb}.`)
        return { json: { id }, lines: [`${verb}: ${id}`] }
      }),
    )
}
