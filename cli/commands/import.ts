import type { Command } from 'commander'
import type { Destination } from '../../src/import/import-file.ts'
import { importGrants } from '../../src/import/import-grants.ts'
import type { FileFault, Source } from '../../src/import/read.ts'
import { progressBar } from '../terminal/progress.ts'
import { Refusal } from '../terminal/refusal.ts'
import { action, type Report } from './action.ts'
import { fileSource, importFiles } from './import-files.ts'
import { type InferOptions, inferFiles, inferring, refuseWithoutInfer } from './infer.ts'
import { demandOrganisation } from './organisations.ts'

/** `import`: files of records, or published grants, into an organisation. */
export function importCommand(program: Command): void {
  inferring(program.command('import <organisation> [files...]'))
    .description('Import files or folders of records; a file is named after its collection.')
    .option('--360giving <file>', 'import a file in the 360Giving Data Standard')
    .option('--drop-values', 'remove what people have in fields that a new schema lacks')
    .action(
      action<{ '360giving'?: string; dropValues?: boolean } & InferOptions>(
        async (bindings, [organisationId = '', ...paths], options) => {
          const { DB, GEOGRAPHY } = bindings
          const published = options['360giving']
          if (paths.length === 0 && !published) throw new Refusal('Name files to import.')
          if (options.infer) return inferFiles(bindings, organisationId, paths, options)
          refuseWithoutInfer(options)
          const grants = published ? fileSource(published) : undefined
          await demandOrganisation(DB, organisationId)
          const bar = progressBar('Importing')
          const to = { db: DB, geography: GEOGRAPHY, organisationId, progress: bar.update }
          try {
            return merged([
              ...(await recordFiles(paths, to, options)),
              ...(grants ? [await grantFile(grants, to)] : []),
            ])
          } finally {
            bar.stop()
          }
        },
      ),
    )
}

type FileReport = { json: object; lines: string[]; done: boolean }

async function recordFiles(
  paths: string[],
  to: Destination,
  options: { dropValues?: boolean },
): Promise<FileReport[]> {
  const reports: FileReport[] = []
  for await (const outcome of importFiles(paths, to, options)) {
    const { file, records, kept = 0, collection, faults } = outcome
    const done = faults.length === 0
    const imported = kept > 0 ? `${kept} of ${records} ${collection}` : 'nothing'
    const summary = done
      ? `${file}: ${records} ${collection} imported.`
      : `${file}: ${imported} imported, ${counted(faults)}.`
    reports.push({ json: outcome, lines: [...linesOf(file, faults), summary], done })
  }
  return reports
}

async function grantFile(source: Source, to: Destination): Promise<FileReport> {
  const { name: file } = source
  const outcome = await importGrants(source, to)
  const { applications, funds, disbursements, faults } = outcome
  const summary = `${file}: ${applications} grants imported as grant applications, with ${funds} funds and ${disbursements} disbursements; ${counted(faults)}.`
  return {
    json: { file, ...outcome },
    lines: [...linesOf(file, faults), summary],
    done: faults.length === 0,
  }
}

function merged(reports: FileReport[]): Report {
  const done = reports.every((report) => report.done)
  return {
    json: { done, files: reports.map(({ json }) => json) },
    lines: reports.flatMap(({ lines }) => lines),
    done,
  }
}

const counted = ({ length }: readonly FileFault[]) =>
  length === 1 ? '1 fault' : `${length} faults`

const linesOf = (file: string, faults: readonly FileFault[]) =>
  faults.map(({ line, field, reason }) =>
    [line > 0 ? `${file}:${line}:` : `${file}:`, field, reason].filter(Boolean).join(' '),
  )
