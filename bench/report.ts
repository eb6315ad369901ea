import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Load } from './load.ts'

/** A row of the report: a measurement, its result, an optional target, and whether it is met. */
export type Line = {
  measure: string
  result: string
  target?: string
  met?: boolean
  /** The figure for the first table, which explains it to any reader. */
  plain?: { request: string; answer: string }
}

/** Compares the CPU of two loads; their ratio must not exceed `max`, if given. */
export const cpuRatio = (measure: string, ours: Load, theirs: Load, max?: number): Line => ({
  measure,
  result: `${(ours.cpu / theirs.cpu).toFixed(2)} (${formatBoth(ours, theirs)})`,
  ...(max !== undefined && { target: `≤ ${max}`, met: ours.cpu / theirs.cpu <= max }),
})

const formatBoth = (ours: Load, theirs: Load) =>
  [
    `${ours.cpu.toFixed(2)} to ${theirs.cpu.toFixed(2)} ms of CPU`,
    `${ours.rate.toFixed(0)} to ${theirs.rate.toFixed(0)} a second`,
    `99 % in ${ours.p99.toFixed(1)} and ${theirs.p99.toFixed(1)} ms`,
    `${formatKibibytes(ours)} to ${formatKibibytes(theirs)} KiB`,
  ].join('; ')

/** Formats the CPU time per request. */
export const formatMs = ({ cpu }: Load) => `${cpu.toFixed(2)} ms`

/** A number that must not exceed `max`. */
export const atMost = (measure: string, value: number, max: number, unit = ''): Line => ({
  measure,
  result: `${Number(value.toFixed(2))}${unit}`,
  target: `≤ ${max}${unit}`,
  met: value <= max,
})

const formatKibibytes = ({ bytes }: Load) => (bytes / 1024).toFixed(1)

const summary = `How much work one request is for the server: a tenth as much time lets the same server answer ten times as many. The times are of the server's processor in thousandths of a second (ms), unless they say otherwise. "The least possible" is what Cloudflare's runtime needs to read the same response from a database and send it, with no key to check and nothing to protect. A repeated page is one that somebody requested before and that no change has affected since, such as a website's list of events. Directus and soul-cli are other programs that offer a database over the web.`

const details = `Each server is a separate process and receives requests over two connections in alternating rounds. The floor is a bare Worker that runs one statement and sends our bytes without checking a key. A ratio is our CPU time per request divided by theirs, so below 1 is less; CPU hardly depends on other work of the machine. Brackets show both sides, ours first.

Our CPU covers the whole local runtime including D1, where a page passes from SQLite through D1's Worker to ours as JSON; the peers read SQLite in their own process. The peers send the same events with the same columns. For a first request our page memory is skipped: the bench gives the request another version of the Worker, of which the memory has no pages, so that the page is read, encoded and stored. A repeated request is answered from the memory, and 304 is the answer to \`If-None-Match\`.

docs/decisions.md says why each missed target is missed, with every attempt: [speed](../docs/decisions.md#speed), [cold starts and the bundle](../docs/decisions.md#cold-starts).`

/** Writes the lines to RESULTS.md with the machine, the versions and the date, and returns the text. */
export function writeReport(lines: readonly Line[], versions: readonly string[]): string {
  const plain = lines.flatMap(({ plain }) => plain ?? [])
  const head = [
    `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench\``,
    `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim()}`,
    ...versions,
  ].join(' · ')
  const text = [
    '# Results',
    `${head}.`,
    '## In short',
    summary,
    table(
      ['Request', 'Time or amount'],
      plain.map(({ request, answer }) => [request, answer]),
    ),
    '## In detail',
    details,
    table(
      ['', 'measured', 'target', ''],
      lines.map(({ measure, result, target = '', met }) => [
        measure,
        result,
        target,
        met === undefined ? '' : met ? 'met' : 'missed',
      ]),
    ),
  ].join('\n\n')
  const [, others = ''] = splitResults()
  writeFileSync(resultsPath, `${text}\n${others}`)
  return text
}

/** Replaces the section on fair share in RESULTS.md, which its own command writes. */
export function writeFairShare(introduction: string, rows: readonly string[][]): void {
  const [before] = splitResults()
  const head = [
    'Load of one organisation',
    'idle median of another',
    'median',
    '95 %',
    'slowest',
    'answers to the load',
  ]
  const text = [fairShareTitle, introduction, table(head, [...rows])].join('\n\n')
  writeFileSync(resultsPath, `${before.trimEnd()}\n\n${text}\n`)
}

const resultsPath = join(import.meta.dirname, 'RESULTS.md')
const fairShareTitle = '## Fair share'

/** Returns RESULTS.md up to the section on fair share, and that section. */
function splitResults(): [before: string, section: string] {
  const text = readFileSync(resultsPath, 'utf8')
  const at = text.indexOf(`\n${fairShareTitle}\n`)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)]
}

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
