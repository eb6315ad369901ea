import type { Command } from 'commander'
import { importGrants } from '../../src/import/import-grants.ts'
import type { Source } from '../../src/import/read.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { withBindings } from '../state/bindings.ts'
import { progressBar } from '../terminal/progress.ts'
import { Refusal } from '../terminal/refusal.ts'
import { type Options, type Report, reporting } from './action.ts'
import { type Destination, fileSource, importFiles } from './import-files.ts'
import { counted, type FileReport, faultLines, fileReport, merged } from './import-report.ts'
import {
  type InferOptions,
  inferFiles,
  inferring,
  inferServed,
  refuseWithoutInfer,
} from './infer.ts'
import { demandOrganisation } from './organisations.ts'
import { uploadFiles } from './upload-files.ts'

type Given = {
  '360giving'?: string
  as?: string
  dropValues?: boolean
  dryRun?: boolean
  url?: string
}

/** `import`: files of records, or published grants, into an organisation. */
export function importCommand(program: Command): void {
  inferring(program.command('import <organisation> [files...]'))
    .description('Import files or folders of records; a file is named after its collection.')
    .option('--as <id>', 'move the records of <organisation> to this other organisation')
    .option('--360giving <file>', 'import a file in the 360Giving Data Standard')
    .option('--drop-values', 'remove what people have in fields that a new schema lacks')
    .option('--dry-run', 'check everything, say what would be done, and keep nothing')
    .option('--url <address>', 'send the files to a service, with the key in API_KEY')
    .action(
      reporting<Given & InferOptions>(async ([organisationId = '', ...paths], options) => {
        if (paths.length === 0 && !options['360giving']) throw new Refusal('Name files to import.')
        if (!options.infer) refuseWithoutInfer(options)
        refuseMove(organisationId, options)
        if (options.url !== undefined) return uploaded(options.url, organisationId, paths, options)
        return withBindings(options, (bindings) =>
          options.infer
            ? inferFiles(bindings, organisationId, paths, options)
            : imported(bindings, organisationId, paths, options),
        )
      }),
    )
}

/** Refuses to move records where that cannot be done or moves nothing. */
function refuseMove(organisationId: string, options: Given & InferOptions): void {
  const { as, infer, url, '360giving': grants } = options
  if (as === undefined) return
  const others = { '--infer': infer, '--url': url, '--360giving': grants }
  const [other] = Object.entries(others).find(([, given]) => given) ?? []
  if (other) throw new Refusal(`--as is not for ${other}.`)
  if (as === organisationId)
    throw new Refusal(
      `--as must name another organisation than ${organisationId}: import <the organisation that has exported the files> <files> --as ${as}`,
    )
}

async function imported(
  { DB, GEOGRAPHY }: Databases,
  named: string,
  paths: string[],
  options: Given,
): Promise<Report> {
  const organisationId = options.as ?? named
  const movedFrom = options.as === undefined ? undefined : named
  const published = options['360giving']
  if (published && options.dryRun) throw new Refusal('--dry-run is not for --360giving.')
  const grants = published ? fileSource(published) : undefined
  await demandOrganisation(DB, organisationId)
  const bar = progressBar('Importing')
  const to = { db: DB, geography: GEOGRAPHY, organisationId, progress: bar.update }
  try {
    const reports: FileReport[] = []
    let hasForeign = false
    for await (const outcome of importFiles(paths, to, { ...options, movedFrom })) {
      reports.push(fileReport(outcome, options.dryRun))
      hasForeign ||= outcome.faults.some(({ field }) => field === 'managedBy')
    }
    const report = merged([...reports, ...(grants ? [await grantFile(grants, to)] : [])])
    return hasForeign && movedFrom === undefined
      ? { ...report, lines: [...report.lines, moveAdvice(organisationId)] }
      : report
  } finally {
    bar.stop()
  }
}

const moveAdvice = (organisationId: string) =>
  `To move the records of another organisation here: import <that organisation> <files> --as ${organisationId}`

async function uploaded(
  url: string,
  organisationId: string,
  paths: string[],
  options: Given & InferOptions & Options,
): Promise<Report> {
  for (const [option, value] of Object.entries({
    '--360giving': options['360giving'],
    '--drop-values': options.dropValues,
    '--remote': options.remote,
    '--env': options.env,
    '--persist-to': options.persistTo,
  })) {
    if (value) throw new Refusal(`${option} is not for --url.`)
  }
  const service = { url, organisationId, key: process.env.API_KEY }
  if (options.infer) return inferServed(service, paths, options)
  const bar = progressBar('Sending')
  try {
    const to = { ...service, progress: bar.update }
    const reports: FileReport[] = []
    for await (const outcome of uploadFiles(paths, to, options.dryRun))
      reports.push(fileReport(outcome, options.dryRun))
    return merged(reports)
  } finally {
    bar.stop()
  }
}

async function grantFile(source: Source, to: Destination): Promise<FileReport> {
  const { name: file } = source
  const outcome = await importGrants(source, to)
  const { applications, funds, disbursements, faults } = outcome
  const summary = `${file}: ${applications} grants imported as grant applications, with ${funds} funds and ${disbursements} disbursements; ${counted(faults)}.`
  return {
    json: { file, ...outcome },
    lines: [...faultLines(file, faults), summary],
    done: faults.length === 0,
  }
}
