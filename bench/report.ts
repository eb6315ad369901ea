import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

/** A line of the table: what was measured, what came of it, and the target if there is one, with whether it is met. */
export type Line = { measure: string; result: string; target?: string; met?: boolean }

/** A ratio of rates, with its target if there is one; a slower side has the lower rate. */
export const ratio = (measure: string, ours: number, theirs: number, least?: number): Line => ({
  measure,
  result: `${(ours / theirs).toFixed(2)} (${ours.toFixed(0)} to ${theirs.toFixed(0)} a second)`,
  ...(least !== undefined && { target: `≥ ${least}`, met: ours / theirs >= least }),
})

/** A number that must not be more than `most`. */
export const atMost = (measure: string, value: number, most: number, unit = ''): Line => ({
  measure,
  result: `${Number(value.toFixed(2))}${unit}`,
  target: `≤ ${most}${unit}`,
  met: value <= most,
})

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
    `# Results\n\n${head}.\n\nRatios are of requests a second, medians of alternating rounds over two connections. Rates depend on the machine and on what else it does. Ratios swing by some 0.1 from run to run, so one near its target may be met in one run and missed in the next; rows read do not.\n\n${table}\n`,
  )
}
