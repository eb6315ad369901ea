import type { Command } from 'commander'
import { moveOrganisation } from '../../src/admin/move/move-organisation.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { countContents, deleteOrganisation } from '../../src/admin/remove-organisation.ts'
import { formatNumber } from '../../src/platform/format-number.ts'
import {
  type ListedOrganisation,
  listOrganisations,
  type OrganisationContents,
} from '../../src/store/organisations.ts'
import { setVersionDays } from '../../src/store/settings/organisation.ts'
import { startPhases, startProgressBar } from '../terminal/progress.ts'
import { CommandError } from '../terminal/report.ts'
import { databaseAction, organisationAction } from './action.ts'
import { type AddOrganisationOptions, addOrganisation } from './add-organisation.ts'

/** `organisation add`, `list`, `move` and `remove`. Returns `organisation` for further commands. */
export function organisationCommands(program: Command): Command {
  const organisation = program.command('organisation').description('Manage organisations.')
  organisation
    .command('add <id>')
    .description('Add an organisation, with its schemas, first administrator and first key.')
    .requiredOption('--name <name>', 'name of the organisation')
    .option('--database <name>', 'database for its records, such as DB_1', 'DB')
    .option('--schemas <file>', 'the fields of its people, as in schemas.json')
    .option('--admin <address>', 'email address of its first administrator')
    .option(
      '--key <name>',
      'name of its first key, which reads and creates members; it is shown once',
    )
    .action(databaseAction<AddOrganisationOptions>(addOrganisation))
  organisation
    .command('move <id>')
    .description(
      'Move an organisation to another database, or continue an interrupted move. During the move it can be read, and writes get 503. A move to its own database ends an unfinished one.',
    )
    .requiredOption('--to <database>', 'the database, such as DB_1')
    .option('--discard-others', 'after a restore: delete it in other databases that have it too')
    .action(
      databaseAction<{ to: string; discardOthers?: true }>(
        async (bindings, [id = ''], { to, discardOthers }) => {
          const phases = startPhases()
          try {
            await moveOrganisation(bindings, id, to, phases.update, discardOthers)
          } finally {
            phases.stop()
          }
          return { json: { id, database: to }, lines: [`${id} is in ${to}.`] }
        },
      ),
    )
  organisation
    .command('remove <id>')
    .description('Remove an organisation and all its data for good.')
    .option('--yes', 'remove it; otherwise only list its data')
    .action(
      databaseAction<{ yes?: true }>(async (bindings, [id = ''], { yes }) => {
        const holdings = await countContents(bindings, id)
        if (!holdings) throw new CommandError(`There is no organisation ${id}.`)
        if (!yes)
          throw new CommandError(
            `${describeHoldings(id, holdings)} Add --yes to remove it for good.`,
          )
        const bar = startProgressBar('Removing')
        try {
          await deleteOrganisation(bindings, id, bar.update)
        } finally {
          bar.stop()
        }
        return { json: { id, removed: holdings }, lines: [`${id} removed.`] }
      }),
    )
  organisation
    .command('keep-versions <id> <days>')
    .description('Set for how many days previous versions of records are stored: 0 to 90.')
    .action(
      organisationAction(async ({ DB }, [id = '', days = '']) => {
        const versionDays = /^\d{1,2}$/.test(days) ? Number(days) : Number.NaN
        if (!(versionDays <= 90))
          throw new CommandError('days: must be a whole number from 0 to 90.')
        await setVersionDays(operatorStore(DB, id), versionDays)
        return {
          json: { id, versionDays },
          lines: [`Previous versions of ${id} are stored for ${versionDays} days.`],
        }
      }),
    )
  organisation
    .command('list')
    .description(
      'List the organisations with their databases, numbers of records and sizes, measured daily.',
    )
    .action(
      databaseAction(async (bindings) => {
        const organisations = await listOrganisations(bindings)
        return { json: { organisations }, lines: organisations.map(formatOrganisation) }
      }),
    )
  return organisation
}

function formatOrganisation(organisation: ListedOrganisation): string {
  const { id, name, database, movingTo, records, documentBytes, measured } = organisation
  const details = [
    movingTo ? `${database}, moving to ${movingTo}` : database,
    `records ${formatNumber(records)}`,
    ...(measured ? [`documents ${formatNumber(Math.ceil(documentBytes / 1_000_000))} MB`] : []),
  ]
  return `${id}  ${name}  (${details.join('; ')})`
}

function describeHoldings(
  id: string,
  { name, collections, keys, users, webhooks }: OrganisationContents,
): string {
  const counts = [
    ...collections.map(({ collection, records }) => [collection, records] as const),
    ['keys', keys] as const,
    ['users', users] as const,
    ['webhooks', webhooks] as const,
  ].map(([label, number]) => `${label} ${formatNumber(number)}`)
  return `${id} is ${name}: ${counts.join(', ')}.`
}
