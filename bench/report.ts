import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Load } from './load.ts'

/** A row of the report: a measurement, its result, an optional target, and whether it is met. */
export type Line = { measure: string; result: string; target?: string; met?: boolean }

/** Compares CPU; the ratio must not exceed `max`. */
export const cpuRatio = (measure: string, ours: Load, theirs: Load, max: number): Line => ({
  measure,
  result: `${(ours.cpu / theirs.cpu).toFixed(2)} (${formatBoth(ours, theirs)})`,
  target: `≤ ${max}`,
  met: ours.cpu / theirs.cpu <= max,
})

/** Compares requests per second; the ratio must be at min `min`, if given. */
export const rateRatio = (measure: string, ours: Load, theirs: Load, min?: number): Line => ({
  measure,
  result: `${(ours.rate / theirs.rate).toFixed(2)} (${formatBoth(ours, theirs)})`,
  ...(min !== undefined && { target: `≥ ${min}`, met: ours.rate / theirs.rate >= min }),
})

const formatBoth = (ours: Load, theirs: Load) =>
  [
    `${ours.cpu.toFixed(2)} to ${theirs.cpu.toFixed(2)} ms of CPU`,
    `${ours.rate.toFixed(0)} to ${theirs.rate.toFixed(0)} a second`,
    `99 % in ${ours.p99.toFixed(1)} and ${theirs.p99.toFixed(1)} ms`,
    `${formatKibibytes(ours)} to ${formatKibibytes(theirs)} KiB`,
  ].join('; ')

/** A number that must not exceed `max`. */
export const atMost = (measure: string, value: number, max: number, unit = ''): Line => ({
  measure,
  result: `${Number(value.toFixed(2))}${unit}`,
  target: `≤ ${max}${unit}`,
  met: value <= max,
})

const formatKibibytes = ({ bytes }: Load) => (bytes / 1024).toFixed(1)

const explanation = `Each server is a separate process and receives requests over two connections in alternating rounds. The floor is a bare Worker that runs one statement and sends our bytes without checking a key. Ratios to the floor compare the CPU time per request, which hardly depends on other work of the machine. Ratios to the peers compare requests per second and vary by about 0.1 between runs. Brackets show both sides, ours first.

CPU covers the whole local runtime including D1, where a page passes from SQLite through D1's Worker to ours as JSON; the peers read SQLite in their own process. Events have only flat columns for the comparison with peers. Our members carry the label and type of every field.`

/** Prints the table, and writes it to RESULTS.md with the machine, the versions and the date. */
export function writeReport(lines: readonly Line[], versions: readonly string[]): void {
  const rows = [
    ['', 'measured', 'target', ''],
    ['---', '---', '---', '---'],
    ...lines.map(({ measure, result, target = '', met }) => [
      measure,
      result,
      target,
      met === undefined ? '' : met ? 'met' : 'missed',
    ]),
  ]
  const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n')
  const head = [
    `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench\``,
    `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim()}`,
    ...versions,
  ].join(' · ')
  console.log(`\n${table}\n`)
  writeFileSync(
    join(import.meta.dirname, 'RESULTS.md'),
    `# Results\n\n${head}.\n\n${explanation}\n\n${table}\n`,
  )
}
