import type { Command } from 'commander'
import { OrganisationId } from '../../src/model/organisation-id.ts'
import {
  addOrganisation,
  listOrganisations,
  organisationExists,
} from '../../src/operator/organisations.ts'
import {
  type Holdings,
  holdingsOf,
  removeOrganisation,
} from '../../src/operator/remove-organisation.ts'
import { progressBar } from '../terminal/progress.ts'
import { Refusal } from '../terminal/refusal.ts'
import { action } from './action.ts'

/** `organisation add`, `organisation list` and `organisation remove`. */
export function organisationCommands(program: Command): void {
  const organisation = program.command('organisation').description('The organisations served here.')
  organisation
    .command('add <id>')
    .description('Add an organisation.')
    .requiredOption('--name <name>', 'what it is called')
    .action(
      action<{ name: string }>(async ({ DB }, [id = ''], { name }) => {
        const { error } = OrganisationId.safeParse(id)
        if (error) throw new Refusal(`id: ${error.issues[0]?.message}`)
        if (!(await addOrganisation(DB, id, name))) {
          throw new Refusal(`There is an organisation ${id} already.`)
        }
        return { json: { id, name }, lines: [`${id} added.`] }
      }),
    )
  organisation
    .command('remove <id>')
    .description('Remove an organisation with all that is kept of it, for good.')
    .option('--yes', 'do it; without this, only tell what would be removed')
    .action(
      action<{ yes?: true }>(async (bindings, [id = ''], { yes }) => {
        const holdings = await holdingsOf(bindings.DB, id)
        if (!holdings) throw new Refusal(`There is no organisation ${id}.`)
        if (!yes) throw new Refusal(`${described(id, holdings)} Say --yes to remove it for good.`)
        const bar = progressBar('Removing')
        try {
          await removeOrganisation(bindings, id, bar.update)
        } finally {
          bar.stop()
        }
        return { json: { id, removed: holdings }, lines: [`${id} removed.`] }
      }),
    )
  organisation
    .command('list')
    .description('List the organisations.')
    .action(
      action(async ({ DB }) => {
        const organisations = await listOrganisations(DB)
        return {
          json: { organisations },
          lines: organisations.map(({ id, name, created }) => `${id}  ${name}  (${created})`),
        }
      }),
    )
}

/** Refuses a command for an organisation that there is not. */
export async function demandOrganisation(db: D1Database, id: string): Promise<void> {
  if (!(await organisationExists(db, id))) throw new Refusal(`There is no organisation ${id}.`)
}

function described(id: string, { name, collections, keys, users, webhooks }: Holdings): string {
  const counts = [
    ...collections.map(({ collection, records }) => [collection, records] as const),
    ['keys', keys] as const,
    ['users', users] as const,
    ['webhooks', webhooks] as const,
  ].map(([what, number]) => `${what} ${number.toLocaleString('en-GB')}`)
  return `${id} is ${name}: ${counts.join(', ')}.`
}
