import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Load } from './load.ts'

/** A row of the report: a measurement, its result, an optional target, and whether it is met. */
export type Line = { measure: string; result: string; target?: string; met?: boolean }

/** Compares CPU; the ratio must not exceed `most`. */
export const cpuRatio = (measure: string, ours: Load, theirs: Load, most: number): Line => ({
  measure,
  result: `${(ours.cpu / theirs.cpu).toFixed(2)} (${sides(ours, theirs)})`,
  target: `≤ ${most}`,
  met: ours.cpu / theirs.cpu <= most,
})

/** Compares requests per second; the ratio must be at least `least`, if given. */
export const rateRatio = (measure: string, ours: Load, theirs: Load, least?: number): Line => ({
  measure,
  result: `${(ours.rate / theirs.rate).toFixed(2)} (${sides(ours, theirs)})`,
  ...(least !== undefined && { target: `≥ ${least}`, met: ours.rate / theirs.rate >= least }),
})

const sides = (ours: Load, theirs: Load) =>
  [
    `${ours.cpu.toFixed(2)} to ${theirs.cpu.toFixed(2)} ms of CPU`,
    `${ours.rate.toFixed(0)} to ${theirs.rate.toFixed(0)} a second`,
    `99 % in ${ours.p99.toFixed(1)} and ${theirs.p99.toFixed(1)} ms`,
    `${kibibytes(ours)} to ${kibibytes(theirs)} KiB`,
  ].join('; ')

/** A number that must not be more than `most`. */
export const atMost = (measure: string, value: number, most: number, unit = ''): Line => ({
  measure,
  result: `${Number(value.toFixed(2))}${unit}`,
  target: `≤ ${most}${unit}`,
  met: value <= most,
})

const kibibytes = ({ bytes }: Load) => (bytes / 1024).toFixed(1)

const explanation = `Each server is a process of its own, asked over two connections in alternating rounds; in brackets, ours to theirs. The floor is a bare Worker that runs one statement and sends our bytes, with no key to check. Ratios to it are of CPU, which the serving process takes for a request whatever else the machine does. Ratios to the peers are of requests a second, which do depend on that and swing by some 0.1 from run to run.

CPU is that of the whole local runtime, its D1 included: there a page passes from SQLite to the Worker as JSON, through D1's own Worker, while the peers read SQLite in their own process. Events are flat for the peers, so that both sides send the same columns; a member of ours is its fields with their labels and types.`

/** Prints the table, and writes it to RESULTS.md with the machine, the versions and the date. */
export function report(lines: readonly Line[], versions: readonly string[]): void {
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
