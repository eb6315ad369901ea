import type { Command } from 'commander'
import { openOrganisation } from '../../src/admin/open-organisation.ts'
import { inspectFile } from '../../src/import/mapping/inspect-file.ts'
import type { MappingOptions } from '../../src/import/mapping/propose-mapping.ts'
import { collectionNames } from '../../src/model/collection.ts'
import { isKind } from '../../src/model/properties/schema.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { isTimeZone } from '../../src/platform/time-zone.ts'
import { fileSource } from '../import/import-files.ts'
import { importMappedFile, type MappedFileResult } from '../import/import-mapped-file.ts'
import {
  createDatabaseDestination,
  createServiceDestination,
  type MappedFileDestination,
} from '../import/mapped-destination.ts'
import { formatMappedResult } from '../import/mapped-report.ts'
import { connectService, type Service } from '../import/service.ts'
import { startProgressBar } from '../terminal/progress.ts'
import { CommandError, type Report } from '../terminal/report.ts'
import { organisationAction } from './action.ts'

/** The options of `import --infer`. */
export type InferOptions = {
  infer?: boolean
  collection?: string
  dryRun?: boolean
  mapping?: string
  rejected?: string
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

/** Adds the options of `import --infer`. */
export const addInferOptions = (command: Command): Command =>
  command
    .option('--infer', 'infer the fields from the columns')
    .option(
      '--collection <name>',
      "with --infer: the collection, if the file's name does not show it",
    )
    .option('--mapping <file>', 'with --infer: the mapping file')
    .option(
      '--rejected <file>',
      'with --infer: import the valid rows and write the others to this CSV file',
    )
    .option('--day-first', 'with --infer: 03/04/2025 is 3 April')
    .option('--month-first', 'with --infer: 03/04/2025 is 4 March')
    .option('--time-zone <name>', 'with --infer: the time zone of the times (Europe/London)')
    .option('--match <fields>', 'with --infer: find people by these fields, such as email,name')
    .option('--sheet <name>', 'with --infer: the sheet of a workbook')
    .option('--form <name>', 'with --infer: the form of the answers')
    .option('--event <id>', 'with --infer: the event of the bookings')
    .option('--id <column>', 'with --infer: the column that holds the ids')
    .option('--add-fields', 'with --infer: add fields to the schema for the other columns')

/** Throws if an option needs `--infer`. */
export function rejectInferOptions(options: InferOptions): void {
  const option = Object.entries(optionNames).find(
    ([name]) => options[name as keyof typeof optionNames],
  )
  if (option) throw new CommandError(`${option[1]} needs --infer.`)
}

const optionNames = {
  collection: '--collection',
  mapping: '--mapping',
  rejected: '--rejected',
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

/** Imports files into a database with an inferred mapping. */
export async function inferFiles(
  bindings: Databases,
  organisationId: string,
  paths: readonly string[],
  options: InferOptions,
): Promise<Report> {
  const { DB, GEOGRAPHY } = await openOrganisation(bindings, organisationId)
  const storage = { db: DB, geography: GEOGRAPHY, organisationId }
  return inferEach((file) => createDatabaseDestination(file, storage), paths, options)
}

/** Sends files to a service one by one, with an inferred mapping. */
export async function inferToService(
  service: Service,
  paths: readonly string[],
  options: InferOptions,
): Promise<Report> {
  const connection = connectService(service)
  return inferEach((file) => createServiceDestination(file, connection), paths, options)
}

async function inferEach(
  createDestination: (file: string) => MappedFileDestination,
  paths: readonly string[],
  options: InferOptions,
): Promise<Report> {
  if (paths.length > 1 && (options.mapping || options.rejected || options.sheet)) {
    throw new CommandError('--mapping, --rejected and --sheet are for one file at a time.')
  }
  const collection =
    options.collection ?? (options.form && 'survey-responses') ?? (options.event && 'bookings')
  if (collection !== undefined && !collectionNames.includes(collection)) {
    throw new CommandError(`--collection must be one of: ${collectionNames.join(', ')}.`)
  }
  const fileOptions = {
    ...options,
    ...(collection && { collection }),
    mappingOptions: toMappingOptions(options),
  }
  const bar = startProgressBar('Importing')
  const reports: Report[] = []
  try {
    for (const path of paths) {
      const result = await importMappedFile(
        path,
        { ...createDestination(path), progress: bar.update },
        fileOptions,
      )
      const isDone = options.dryRun
        ? result.outcome.rejected === 0
        : result.written && result.outcome.rejected === 0
      reports.push({
        json: toJson(result),
        lines: formatMappedResult(result, options.rejected),
        done: isDone,
      })
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

/** A result as JSON. */
function toJson({ outcome, ...result }: MappedFileResult): object {
  const { records: _, ...others } = outcome
  return { ...result, outcome: others }
}

function toMappingOptions(options: InferOptions): MappingOptions {
  const { dayFirst, monthFirst, timeZone, match, id, form, addFields } = options
  if (dayFirst && monthFirst) throw new CommandError('Say --day-first or --month-first, not both.')
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new CommandError('--time-zone must be the name of a time zone, such as Europe/London.')
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

/** `schema infer`: prints a `schemas.json` for the people in a file. */
export function schemaCommands(program: Command): void {
  program
    .command('schema')
    .description('The schemas of people.')
    .command('infer <organisation> <file>')
    .description('Print a schemas.json that fits a file of people; nothing is kept.')
    .option('--collection <kind>', 'members, volunteers or partners')
    .option('--sheet <name>', 'the sheet of a workbook')
    .action(
      organisationAction<{ collection?: string; sheet?: string }>(
        async (_, [organisationId = '', file = ''], { collection, sheet }) => {
          const inspectOptions = { organisationId, schemas: {}, collection, sheet }
          const { proposal } = await inspectFile(fileSource(file), inspectOptions)
          const { collection: kind, fields } = proposal.mapping
          if (!isKind(kind)) {
            throw new CommandError(
              `${kind} have no schema: say whom the file is of by --collection.`,
            )
          }
          const schemas = { [kind]: { fields: fields.map(summariseField) } }
          return { json: schemas, lines: [JSON.stringify(schemas, undefined, 2)] }
        },
      ),
    )
}

/** A field without its derived properties. */
function summariseField({ id, type, label, options }: Record<string, unknown>) {
  const values = Array.isArray(options) ? options.map(({ value }) => value) : undefined
  return { id, ...(label !== id && { label }), type, ...(values && { options: values }) }
}
