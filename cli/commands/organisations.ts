import type { Command } from 'commander'
import { OrganisationId } from '../../src/model/organisation-id.ts'
import {
  addOrganisation,
  listOrganisations,
  organisationExists,
} from '../../src/operator/organisations.ts'
import { Refusal } from '../terminal/refusal.ts'
import { action } from './action.ts'

/** `organisation add` and `organisation list`. */
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
