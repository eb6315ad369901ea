import type { Command } from 'commander'
import { type FileOutcome, importFiles } from '../import/import-files.ts'
import { progressBar } from '../progress.ts'
import { action } from '../run.ts'

/** `import`: files of records into an organisation. */
export function importCommand(program: Command): void {
  program
    .command('import <organisation> <files...>')
    .description('Import files or folders of records; a file is named after its collection.')
    .action(
      action(async ({ DB }, [organisationId = '', ...paths]) => {
        const bar = progressBar(`Importing`)
        const files: FileOutcome[] = []
        try {
          const to = { db: DB, organisationId, progress: bar.update }
          for await (const outcome of importFiles(paths, to)) files.push(outcome)
        } finally {
          bar.stop()
        }
        const done = files.every(({ faults }) => faults.length === 0)
        return { json: { done, files }, lines: files.flatMap(linesOf), done }
      }),
    )
}

function linesOf({ file, records, collection, faults }: FileOutcome): string[] {
  if (faults.length === 0) return [`${file}: ${records} ${collection} imported.`]
  const lines = faults.map(({ line, field, reason }) =>
    [file, ...(line > 0 ? [line] : [])].join(':').concat(field ? ` ${field}` : '', ` ${reason}`),
  )
  return [...lines, `${file}: nothing imported, ${faults.length} faults.`]
}
