import type { Command } from 'commander'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { recordFullExport } from '../../src/store/audit-log.ts'
import { startProgressBar } from '../terminal/progress.ts'
import type { Report } from '../terminal/report.ts'
import { organisationAction } from './action.ts'
import { type ExportedFile, exportFiles } from './export-files.ts'

/** `export`: writes an organisation's schemas, records and settings as files for `import`. */
export function exportCommand(program: Command): void {
  program
    .command('export <organisation> <folder>')
    .description(
      'Export the schemas, records and settings to an empty folder, as files for import.',
    )
    .option(
      '--package',
      'also write data-package.zip for other programs: CSV files and a datapackage.json',
    )
    .action(
      organisationAction<{ package?: true }>(
        async ({ DB }, [organisationId = '', folder = ''], options) => {
          const bar = startProgressBar('Exporting')
          try {
            const files = await exportFiles(DB, organisationId, folder, bar.update, options.package)
            await recordFullExport(operatorStore(DB, organisationId))
            return toReport(files)
          } finally {
            bar.stop()
          }
        },
      ),
    )
}

function toReport(files: ExportedFile[]): Report {
  const refused = files.reduce((sum, file) => sum + file.refused, 0)
  const done = refused === 0
  return {
    json: { done, files },
    lines: [
      ...files.flatMap(({ file, errors }) =>
        errors.map(({ line, field, message }) => `${file}:${line}: ${field} ${message}`),
      ),
      ...files.map(({ file, records, collection }) => `${file}: ${records} ${collection}.`),
      ...(done ? [] : [`An import would reject ${refused} of these records.`]),
    ],
    done,
  }
}
