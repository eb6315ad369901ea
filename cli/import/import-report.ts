import { type ImportResult, withoutValues } from '../../src/import/report/import-result.ts'
import type { Report } from '../terminal/report.ts'
import type { FileResult } from './import-files.ts'
import { formatSettings } from './settings-report.ts'

/** The report of one file. */
export type FileReport = { json: object; lines: string[]; done: boolean }

/** Reports the result of a file, or of its dry run. */
export function toFileReport(result: FileResult, isDryRun = false): FileReport {
  const { file, collection, records, created, updated, unchanged, errors, isLeftOut, settings } =
    result
  const json = toJson(result)
  if (isLeftOut) return reportSkippedFile(file, json)
  const done = errors.length === 0
  const writtenCount = created + updated + unchanged
  const verb = isDryRun ? 'would be imported' : 'imported'
  // A key without read permission receives only the number of accepted records.
  const hasDetails = collection !== 'schemas' && writtenCount === records
  const details = `${created} created, ${updated} updated, ${unchanged} unchanged`
  const fullSummary = `${records} ${collection} ${verb}${hasDetails ? `: ${details}` : ''}.`
  const partialSummary =
    writtenCount > 0 ? `${writtenCount} of ${records} ${collection}` : 'nothing'
  const summary = done ? fullSummary : `${partialSummary} ${verb}, ${formatErrorCount(errors)}.`
  const lines = settings ? formatSettings(file, settings, isDryRun) : [`${file}: ${summary}`]
  return { json, lines: [...formatErrorLines(file, errors), ...lines], done }
}

function toJson({ created, updated, unchanged, ...result }: FileResult): object {
  const { file, collection, records, rejected, errors, ...others } = result
  const counts = { created, updated, unchanged }
  return { file, collection, records, rejected, counts, errors: withoutValues(errors), ...others }
}

/** Reports a file that was not written because another file has errors. */
export const reportSkippedFile = (file: string, json: object = { file, isLeftOut: true }) => ({
  json,
  lines: [`${file}: nothing imported, as another file has errors.`],
  done: false,
})

/** Combines the reports of several files. */
export function mergeReports(reports: FileReport[]): Report {
  const done = reports.every((report) => report.done)
  return {
    json: { done, files: reports.map(({ json }) => json) },
    lines: reports.flatMap(({ lines }) => lines),
    done,
  }
}

export function formatErrorCount(errors: ImportResult['errors']): string {
  const count = errors.reduce((sum, group) => sum + group.count, 0)
  return count === 1 ? '1 error' : `${count} errors`
}

/** Formats each kind of error with the line of its first occurrence. */
export const formatErrorLines = (file: string, errors: ImportResult['errors']): string[] =>
  withoutValues(errors).map(({ field, message, count, lines }) => {
    const [first] = lines
    const location = first === undefined ? `${file}:` : `${file}:${first}:`
    return [location, field, message, count > 1 && formatOccurrences(count, lines)]
      .filter(Boolean)
      .join(' ')
  })

function formatOccurrences(count: number, lines: readonly number[]): string {
  if (lines.length === 0) return `(${count} times)`
  const more = count > lines.length ? ', …' : ''
  return `(${count} times: ${lines.length > 1 ? 'lines' : 'line'} ${lines.join(', ')}${more})`
}
