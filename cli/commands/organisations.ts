import type { Command } from 'commander'
import * as z from 'zod'
import {
  addOrganisation,
  listOrganisations,
  organisationExists,
} from '../../src/operator/organisations.ts'
import { Refusal } from '../terminal/refusal.ts'
import { action } from './action.ts'

const Id = z.string().regex(/^\w[\w.~-]{0,63}$/)

/** `organisation add` and `organisation list`. */
export function organisationCommands(program: Command): void {
  const organisation = program.command('organisation').description('The organisations served here.')
  organisation
    .command('add <id>')
    .description('Add an organisation.')
    .requiredOption('--name <name>', 'what it is called')
    .action(
      action<{ name: string }>(async ({ DB }, [id = ''], { name }) => {
        if (!Id.safeParse(id).success) {
          throw new Refusal(
            'id: must be 1 to 64 letters, digits or any of - _ . ~, and begin with a letter, a digit or _.',
          )
        }
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
