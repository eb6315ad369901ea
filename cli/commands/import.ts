import type { Command } from 'commander'
import { openOrganisation } from '../../src/admin/open-organisation.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { readEdition } from '../../src/geography/edition.ts'
import type { Adapter } from '../../src/import/adapters/adapter.ts'
import { adapters } from '../../src/import/adapters/adapters.ts'
import { withoutValues } from '../../src/import/report/import-result.ts'
import type { Source } from '../../src/import/source/source.ts'
import { isPostcodeField } from '../../src/model/properties/area-fields.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { readSchemas } from '../../src/store/settings/schemas.ts'
import { trialEnvironment } from '../deployment/section.ts'
import { eraseAgainAfter } from '../import/erase-again.ts'
import { fileSource, type ImportDestination, importFiles } from '../import/import-files.ts'
import {
  type FileReport,
  formatErrorCount,
  formatErrorLines,
  mergeReports,
  reportSkippedFile,
  toFileReport,
} from '../import/import-report.ts'
import { uploadFiles } from '../import/upload-files.ts'
import { type StateTarget, withBindings } from '../state/bindings.ts'
import { startProgressBar } from '../terminal/progress.ts'
import { CommandError, type Report } from '../terminal/report.ts'
import { type CommandOptions, reportAction } from './action.ts'
import {
  addInferOptions,
  type InferOptions,
  inferFiles,
  inferToService,
  rejectInferOptions,
} from './infer.ts'

type ImportCommandOptions = {
  as?: string
  dropValues?: boolean
  dryRun?: boolean
  url?: string
}

/** `import`: imports files of records, or published grants. */
export function importCommand(program: Command): void {
  const command = addInferOptions(program.command('import <organisation> [files...]'))
    .description('Import files or folders of records; each file is named after its collection.')
    .option('--as <id>', 'move the records of <organisation> to this other organisation')
  for (const { name, description } of adapters) command.option(`--${name} <file>`, description)
  command
    .option('--drop-values', 'remove values of fields that a new schema lacks')
    .option('--dry-run', 'check everything and report the changes without writing')
    .option('--url <address>', 'send the files to this service, with the key in API_KEY')
    .action(
      reportAction<ImportCommandOptions & InferOptions>(
        async ([organisationId = '', ...paths], options) => {
          if (paths.length === 0 && listPublished(options).length === 0)
            throw new CommandError('Name files to import.')
          requireConfirmedStorage(options)
          if (!options.infer) rejectInferOptions(options)
          validateMove(organisationId, options)
          if (options.url !== undefined)
            return uploadToService(options.url, organisationId, paths, options)
          return withBindings(options, async (bindings) => {
            const importRecords = () =>
              options.infer
                ? inferFiles(bindings, organisationId, paths, options)
                : importIntoDatabase(bindings, organisationId, paths, options)
            const target = options.as ?? organisationId
            const report = await (options.dryRun
              ? importRecords()
              : eraseAgainAfter(bindings, target, importRecords))
            const notes = await noteMissingDirectory(bindings, target)
            return { ...report, lines: [...report.lines, ...notes] }
          })
        },
      ),
    )
}

/** Throws for the deployed databases of a trial, unless the operator has confirmed where they are. */
function requireConfirmedStorage({ remote, env }: StateTarget): void {
  if (!remote || env !== trialEnvironment || process.env.STORAGE_CONFIRMED === 'true') return
  throw new CommandError(
    "A trial's data may be stored outside the European Union: to import all the same, set STORAGE_CONFIRMED=true.",
  )
}

/** A file in a published format, and the option that names it. */
type PublishedFile = { adapter: Adapter; option: string; path: string }

/** The files in published formats. */
const listPublished = (options: object): PublishedFile[] => {
  const paths = new Map<string, unknown>(Object.entries(options))
  return adapters.flatMap((adapter) => {
    const path = paths.get(adapter.name)
    return typeof path === 'string' ? [{ adapter, option: `--${adapter.name}`, path }] : []
  })
}

/** A line if the organisation has postcodes and no postcode directory is loaded. */
async function noteMissingDirectory(
  bindings: Databases,
  organisationId: string,
): Promise<readonly string[]> {
  const { DB, GEOGRAPHY } = await openOrganisation(bindings, organisationId)
  const schemas = await readSchemas(DB, organisationId)
  const hasPostcodes = Object.values(schemas).some(({ fields }) => fields.some(isPostcodeField))
  if (!hasPostcodes || (await readEdition(GEOGRAPHY)) !== null) return []
  return [
    `No postcode directory is loaded, so postcodes have no areas. Load one: geography load ONSPD.zip, then geography refresh ${organisationId}`,
  ]
}

/** Throws for a move to the same organisation, or with options that do not support moves. */
function validateMove(organisationId: string, options: ImportCommandOptions & InferOptions): void {
  const { as, infer, url } = options
  if (as === undefined) return
  const otherOptions = { '--infer': infer, '--url': url }
  const [given] = Object.entries(otherOptions).find(([, value]) => value) ?? []
  const conflicting = given ?? listPublished(options)[0]?.option
  if (conflicting) throw new CommandError(`--as cannot be combined with ${conflicting}.`)
  if (as === organisationId)
    throw new CommandError(
      `--as must name an organisation other than ${organisationId}: import <organisation that exported the files> <files> --as ${as}`,
    )
}

async function importIntoDatabase(
  bindings: Databases,
  argument: string,
  paths: string[],
  options: ImportCommandOptions,
): Promise<Report> {
  const organisationId = options.as ?? argument
  const movedFrom = options.as === undefined ? undefined : argument
  const published = listPublished(options)
  const [firstPublished] = published
  if (firstPublished && options.dryRun)
    throw new CommandError(`--dry-run cannot be combined with ${firstPublished.option}.`)
  let arePublishedFilesValid = true
  for (const { adapter, path } of published) {
    const { errors } = await adapter.check(fileSource(path))
    arePublishedFilesValid &&= errors.length === 0
  }
  const { DB, GEOGRAPHY } = await openOrganisation(bindings, organisationId)
  const bar = startProgressBar('Importing')
  const destination = { db: DB, geography: GEOGRAPHY, organisationId, progress: bar.update }
  try {
    const reports: FileReport[] = []
    let hasForeignRecords = false
    const fileOptions = { ...options, movedFrom, arePublishedFilesValid }
    for await (const result of importFiles(paths, destination, fileOptions)) {
      reports.push(toFileReport(result, options.dryRun))
      hasForeignRecords ||= result.errors.some(({ column }) => column === 'managedBy')
    }
    // An unreadable file reports its own error, so its import runs.
    const isImported = !arePublishedFilesValid || reports.every(({ done }) => done)
    for (const { adapter, path } of published)
      reports.push(
        isImported
          ? await importPublished(adapter, fileSource(path), destination)
          : reportSkippedFile(path),
      )
    const report = mergeReports(reports)
    return hasForeignRecords && movedFrom === undefined
      ? { ...report, lines: [...report.lines, moveAdvice(organisationId)] }
      : report
  } finally {
    bar.stop()
  }
}

const moveAdvice = (organisationId: string) =>
  `To move the records of another organisation here: import <that organisation> <files> --as ${organisationId}`

async function uploadToService(
  url: string,
  organisationId: string,
  paths: string[],
  options: ImportCommandOptions & InferOptions & CommandOptions,
): Promise<Report> {
  for (const [option, value] of Object.entries({
    ...Object.fromEntries(listPublished(options).map(({ option, path }) => [option, path])),
    '--drop-values': options.dropValues,
    '--remote': options.remote,
    '--env': options.env,
    '--persist-to': options.persistTo,
  })) {
    if (value) throw new CommandError(`${option} cannot be combined with --url.`)
  }
  const service = { url, organisationId, key: process.env.API_KEY }
  if (options.infer) return inferToService(service, paths, options)
  const bar = startProgressBar('Sending')
  try {
    const destination = { ...service, progress: bar.update }
    const reports: FileReport[] = []
    for await (const result of uploadFiles(paths, destination, options.dryRun))
      reports.push(toFileReport(result, options.dryRun))
    return mergeReports(reports)
  } finally {
    bar.stop()
  }
}

async function importPublished(
  adapter: Adapter,
  source: Source,
  destination: ImportDestination,
): Promise<FileReport> {
  const { name: file } = source
  const store = operatorStore(destination.db, destination.organisationId)
  const result = await adapter.import(source, { ...destination, store })
  const { numbers, errors } = result
  return {
    json: { file, ...numbers, errors: withoutValues(errors) },
    lines: [
      ...formatErrorLines(file, errors),
      `${file}: ${adapter.summarise(result)}; ${formatErrorCount(errors)}.`,
    ],
    done: errors.length === 0,
  }
}
