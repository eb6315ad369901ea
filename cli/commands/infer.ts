import type { Command } from 'commander'
import { inspect } from '../../src/import/tabular/prepare.ts'
import type { Wishes } from '../../src/import/tabular/propose.ts'
import { collectionNames } from '../../src/model/collection-names.ts'
import { isKind } from '../../src/model/schema.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { isTimeZone } from '../../src/platform/time-zone.ts'
import { progressBar } from '../terminal/progress.ts'
import { Refusal } from '../terminal/refusal.ts'
import { action, type Report } from './action.ts'
import { fileSource } from './import-files.ts'
import { databaseReceiver, type Receiver, servedReceiver } from './infer-destination.ts'
import { inferFile } from './infer-files.ts'
import { inferredLines } from './infer-report.ts'
import { demandOrganisation } from './organisations.ts'
import { reached, type Service } from './service.ts'

/** What may be said with `import --infer`. */
export type InferOptions = {
  infer?: boolean
  collection?: string
  dryRun?: boolean
  mapping?: string
  faults?: string
  dayFirst?: boolean
  monthFirst?: boolean
  timeZone?: string
  match?: string
  sheet?: string
  id?: string
  form?: string
  event?: string
  addFields?: boolean
}

/** Adds what may be said of files that are imported as they come. */
export const inferring = (command: Command): Command =>
  command
    .option('--infer', 'take the file as it comes: find out what its columns are')
    .option(
      '--collection <name>',
      "with --infer: what the rows are, where the file's name does not say it",
    )
    .option('--mapping <file>', 'with --infer: where it is kept what the columns are')
    .option(
      '--faults <file>',
      'with --infer: import the good rows, and write the others to this CSV',
    )
    .option('--day-first', 'with --infer: 03/04/2025 is 3 April')
    .option('--month-first', 'with --infer: 03/04/2025 is 4 March')
    .option('--time-zone <name>', 'with --infer: where times are local (Europe/London)')
    .option('--match <fields>', 'with --infer: find people by these fields, such as email,name')
    .option('--sheet <name>', 'with --infer: the sheet of a workbook')
    .option('--form <name>', 'with --infer: the form that the answers of a file are of')
    .option('--event <id>', 'with --infer: the event that the bookings of a file are for')
    .option('--id <column>', 'with --infer: the column that holds the ids')
    .option('--add-fields', 'with --infer: add fields to the schema for columns that have none')

/** Refuses what may only be said with `--infer`. */
export function refuseWithoutInfer(options: InferOptions): void {
  const given = Object.entries(names).find(([name]) => options[name as keyof typeof names])
  if (given) throw new Refusal(`${given[1]} is for --infer.`)
}

const names = {
  collection: '--collection',
  mapping: '--mapping',
  faults: '--faults',
  dayFirst: '--day-first',
  monthFirst: '--month-first',
  timeZone: '--time-zone',
  match: '--match',
  sheet: '--sheet',
  id: '--id',
  form: '--form',
  event: '--event',
  addFields: '--add-fields',
} as const

/** Imports files as they come into a database. */
export async function inferFiles(
  { DB, GEOGRAPHY }: Databases,
  organisationId: string,
  paths: readonly string[],
  options: InferOptions,
): Promise<Report> {
  await demandOrganisation(DB, organisationId)
  const to = databaseReceiver({ db: DB, geography: GEOGRAPHY, organisationId })
  return inferInto(() => to, paths, options)
}

/** Imports files as they come into a service, each by what the service has when its turn comes. */
export async function inferServed(
  service: Service,
  paths: readonly string[],
  options: InferOptions,
): Promise<Report> {
  const to = reached(service)
  return inferInto((file) => servedReceiver(file, to), paths, options)
}

async function inferInto(
  receiver: (file: string) => Receiver,
  paths: readonly string[],
  options: InferOptions,
): Promise<Report> {
  if (paths.length > 1 && (options.mapping || options.faults || options.sheet)) {
    throw new Refusal('--mapping, --faults and --sheet are for one file at a time.')
  }
  const collection =
    options.collection ?? (options.form && 'survey-responses') ?? (options.event && 'bookings')
  if (collection !== undefined && !collectionNames.includes(collection)) {
    throw new Refusal(`--collection must be one of ${collectionNames.join(', ')}.`)
  }
  const asked = { ...options, ...(collection && { collection }), wishes: wishesOf(options) }
  const bar = progressBar('Importing')
  const reports: Report[] = []
  try {
    for (const path of paths) {
      const done = await inferFile(path, { ...receiver(path), progress: bar.update }, asked)
      const isDone = options.dryRun
        ? done.outcome.faulty === 0
        : done.written && done.outcome.faulty === 0
      reports.push({ json: done, lines: inferredLines(done, options.faults), done: isDone })
    }
  } finally {
    bar.stop()
  }
  const done = reports.every((report) => report.done)
  return {
    json: { done, files: reports.map(({ json }) => json) },
    lines: reports.flatMap(({ lines }) => lines),
    done,
  }
}

function wishesOf(options: InferOptions): Wishes {
  const { dayFirst, monthFirst, timeZone, match, id, form, addFields } = options
  if (dayFirst && monthFirst) throw new Refusal('Say --day-first or --month-first, not both.')
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new Refusal('--time-zone must be the name of a time zone, such as Europe/London.')
  }
  return {
    ...(dayFirst && { order: 'day-first' }),
    ...(monthFirst && { order: 'month-first' }),
    ...(timeZone !== undefined && { timeZone }),
    ...(match !== undefined && { match: match.split(',').map((field) => field.trim()) }),
    ...(id !== undefined && { id }),
    ...(form !== undefined && { form }),
    ...(addFields && { addFields }),
  }
}

/** `schema infer`: a schemas.json for people from a file as it comes. */
export function schemaCommands(program: Command): void {
  program
    .command('schema')
    .description('The schemas of people.')
    .command('infer <organisation> <file>')
    .description('Print a schemas.json that fits a file of people; nothing is kept.')
    .option('--collection <kind>', 'members, volunteers or partners')
    .option('--sheet <name>', 'the sheet of a workbook')
    .action(
      action<{ collection?: string; sheet?: string }>(
        async ({ DB }, [organisationId = '', file = ''], { collection, sheet }) => {
          await demandOrganisation(DB, organisationId)
          const about = { organisationId, schemas: {}, collection, sheet }
          const { proposal } = await inspect(fileSource(file), about)
          const { collection: kind, fields } = proposal.mapping
          if (!isKind(kind)) {
            throw new Refusal(`${kind} have no schema: say whom the file is of by --collection.`)
          }
          const schemas = { [kind]: { fields: fields.map(brief) } }
          return { json: schemas, lines: [JSON.stringify(schemas, undefined, 2)] }
        },
      ),
    )
}

/** A field without what follows from the rest. */
function brief({ id, type, label, options }: Record<string, unknown>) {
  const values = Array.isArray(options) ? options.map(({ value }) => value) : undefined
  return { id, ...(label !== id && { label }), type, ...(values && { options: values }) }
}
