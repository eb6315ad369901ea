import type { FaultGroup } from '../../src/import/faults.ts'
import type { Report } from './action.ts'
import type { FileOutcome } from './import-files.ts'

/** What is told of one file. */
export type FileReport = { json: object; lines: string[]; done: boolean }

/** What came of a file of records, or would come of it. */
export function fileReport(outcome: FileOutcome, isDry = false): FileReport {
  const { file, collection, records, counts, faults, isLeftOut } = outcome
  const { created, updated, unchanged } = counts
  if (isLeftOut) {
    const line = `${file}: nothing imported, as another file has errors.`
    return { json: outcome, lines: [line], done: false }
  }
  const done = faults.length === 0
  const kept = created + updated + unchanged
  const imported = isDry ? 'would be imported' : 'imported'
  // A key that may not read is told only how many were accepted.
  const isTold = collection !== 'schemas' && kept === records
  const told = `${created} created, ${updated} updated, ${unchanged} unchanged`
  const all = `${records} ${collection} ${imported}${isTold ? `: ${told}` : ''}.`
  const some = kept > 0 ? `${kept} of ${records} ${collection}` : 'nothing'
  const summary = done ? all : `${some} ${imported}, ${counted(faults)}.`
  return { json: outcome, lines: [...faultLines(file, faults), `${file}: ${summary}`], done }
}

/** The report of several files. */
export function merged(reports: FileReport[]): Report {
  const done = reports.every((report) => report.done)
  return {
    json: { done, files: reports.map(({ json }) => json) },
    lines: reports.flatMap(({ lines }) => lines),
    done,
  }
}

export function counted(faults: readonly FaultGroup[]): string {
  const count = faults.reduce((sum, group) => sum + group.count, 0)
  return count === 1 ? '1 fault' : `${count} faults`
}

/** A line for each kind of fault, with the place of the first. */
export const faultLines = (file: string, faults: readonly FaultGroup[]): string[] =>
  faults.map(({ field, reason, count, lines }) => {
    const [first] = lines
    const place = first === undefined ? `${file}:` : `${file}:${first}:`
    return [place, field, reason, count > 1 && timesFound(count, lines)].filter(Boolean).join(' ')
  })

function timesFound(count: number, lines: readonly number[]): string {
  if (lines.length === 0) return `(${count} times)`
  const more = count > lines.length ? ', …' : ''
  return `(${count} times: ${lines.length > 1 ? 'lines' : 'line'} ${lines.join(', ')}${more})`
}
