import type { Command } from 'commander'
import { moveOrganisation, type OnProgress } from '../../src/admin/move/move-organisation.ts'
import {
  createOrganisationIn,
  type ListedOrganisation,
  listOrganisations,
} from '../../src/admin/organisations.ts'
import { setVersionDays } from '../../src/admin/record-versions.ts'
import {
  countContents,
  deleteOrganisation,
  type OrganisationContents,
} from '../../src/admin/remove-organisation.ts'
import { OrganisationId } from '../../src/model/organisation-id.ts'
import { formatNumber } from '../../src/platform/format-number.ts'
import { startProgressBar } from '../terminal/progress.ts'
import { CommandError } from '../terminal/report.ts'
import { by, databaseAction, organisationAction } from './action.ts'

/** `organisation add`, `list`, `move` and `remove`. Returns `organisation` for further commands. */
export function organisationCommands(program: Command): Command {
  const organisation = program.command('organisation').description('Manage organisations.')
  organisation
    .command('add <id>')
    .description('Add an organisation.')
    .requiredOption('--name <name>', 'name of the organisation')
    .option('--database <name>', 'database for its records, such as DB_1', 'DB')
    .action(
      databaseAction<{ name: string; database: string }>(
        async (bindings, [id = ''], { name, database }) => {
          const { error } = OrganisationId.safeParse(id)
          if (error) throw new CommandError(`id: ${error.issues[0]?.message}`)
          if (!(await createOrganisationIn(bindings, database, id, name))) {
            throw new CommandError(`The organisation ${id} already exists.`)
          }
          return { json: { id, name, database }, lines: [`${id} added.`] }
        },
      ),
    )
  organisation
    .command('move <id>')
    .description(
      'Move an organisation to another database, or continue an interrupted move. It can be read meanwhile, and writes get 503. A move to its own database ends an unfinished one.',
    )
    .requiredOption('--to <database>', 'the database, such as DB_1')
    .option('--discard-others', 'after a restore: delete it in other databases that have it too')
    .action(
      databaseAction<{ to: string; discardOthers?: true }>(
        async (bindings, [id = ''], { to, discardOthers }) => {
          let bar: { phase: string } & ReturnType<typeof startProgressBar> = noBar
          try {
            const onProgress: OnProgress = (phase, done, total) => {
              if (bar.phase !== phase) {
                bar.stop()
                bar = { phase, ...startProgressBar(phase) }
              }
              bar.update(done, total)
            }
            await moveOrganisation(bindings, id, to, onProgress, discardOthers)
          } finally {
            bar.stop()
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
        await setVersionDays(DB, id, versionDays, by)
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

const noBar = { phase: '', update: () => {}, stop: () => {} }

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
