import type { Command } from 'commander'
import { progressBar } from '../terminal/progress.ts'
import { action, type Report } from './action.ts'
import { exportFiles, type Written } from './export-files.ts'
import { demandOrganisation } from './organisations.ts'

/** `export`: an organisation's schemas and records, as files that `import` takes back. */
export function exportCommand(program: Command): void {
  program
    .command('export <organisation> <folder>')
    .description('Write the schemas and records to an empty folder, as files that import takes.')
    .action(
      action(async ({ DB }, [organisationId = '', folder = '']) => {
        await demandOrganisation(DB, organisationId)
        const bar = progressBar('Exporting')
        try {
          return report(await exportFiles(DB, organisationId, folder, bar.update))
        } finally {
          bar.stop()
        }
      }),
    )
}

function report(files: Written[]): Report {
  const refused = files.reduce((sum, file) => sum + file.refused, 0)
  const done = refused === 0
  return {
    json: { done, files },
    lines: [
      ...files.flatMap(({ file, faults }) =>
        faults.map(({ line, field, reason }) => `${file}:${line}: ${field} ${reason}`),
      ),
      ...files.map(({ file, records, collection }) => `${file}: ${records} ${collection}.`),
      ...(done ? [] : [`An import would refuse ${refused} of these records as they are.`]),
    ],
    done,
  }
}
