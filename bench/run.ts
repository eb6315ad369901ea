import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { migrate } from '../cli/state/bindings.ts'
import { compareWithCommit, findPreviousCommit, maxRatio } from './against-commit.ts'
import { compareWithFloor } from './against-floor.ts'
import { compareWithPeer } from './against-peers.ts'
import { addSession, measureColdStarts } from './cold-starts.ts'
import { startInOwnProcess } from './cpu.ts'
import { fillDatabase } from './fixture.ts'
import { putFlatEvents } from './flat-events.ts'
import { measureExport, measureGrowth } from './growth.ts'
import { measurePages } from './pages.ts'
import { installPeers } from './peers.ts'
import { type Line, writeReport } from './report.ts'
import { measureSummaries } from './summaries.ts'
import { measureWeight } from './weight.ts'
import { measureWithoutCredentials } from './without-credentials.ts'
import { bundle, createEmptyDatabase, recordMigrations, start } from './workers.ts'
import { measureWrites } from './writes.ts'

const values = new Command('npm run bench --')
  .description('Measure the Worker: Linux only, about twenty minutes and 2 GB of memory.')
  .option('--sizes <numbers>', 'members of each organisation', '1000,10000,100000,1000000')
  .option('--rounds <number>', 'the number of measurements of each request', '11')
  .option(
    '--quick [commit]',
    'compare the Worker with that of a commit, by default the previous one, in two minutes; fails if a request needs over 5 % more CPU',
  )
  .parse()
  .opts<{ sizes: string; rounds: string; quick?: string | true }>()

const lines: Line[] = []

// The local D1 waits for its disk at every request, which would hide differences: all databases are
// in memory, if the system has such a disk.
const memory = '/dev/shm'
const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'bench-'))
try {
  if (values.quick) await compareQuickly(values.quick)
  else await measureAll()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function compareQuickly(commit: string | true): Promise<void> {
  const comparisons = await compareWithCommit(
    commit === true ? findPreviousCommit() : commit,
    folder,
  )
  const table = comparisons.map(({ request, before, now, ratio }) => ({
    request,
    'before, ms': before.toFixed(2),
    'now, ms': now.toFixed(2),
    ratio: ratio.toFixed(2),
  }))
  console.table(table)
  if (comparisons.some(({ ratio }) => ratio > maxRatio)) {
    say(`A request needs more than ${maxRatio} times its CPU before.`)
    process.exitCode = 1
  }
}

async function measureAll(): Promise<void> {
  const sizes = values.sizes.split(',').map(Number)
  const rounds = Number(values.rounds)
  const versions = [`Node ${process.version}`]
  try {
    const file = await createEmptyDatabase(folder)
    say('Writing organisations of', values.sizes, 'members')
    // The first has only flat events, for the comparison with peers.
    const [flat, ...organisations] = await fillDatabase(file, [0, ...sizes])
    const members = sizes.reduce((sum, size) => sum + size)
    const comparable = organisations.find((organisation) => organisation.members === 100_000)
    const measured = comparable ?? organisations.at(-1)
    if (!flat || !measured) throw new Error('--sizes: name at least one.')
    const size = statSync(file).size / members / 1024
    const ours = await serve(folder, 'bench/ours.ts')
    await recordMigrations(ours.bindings.DB, 'migrations/records')
    await migrate(ours.bindings.GEOGRAPHY, 'migrations/geography')
    const floor = await serve(join(folder, 'floor'), 'bench/floor.ts')
    const servers = { ...ours, key: measured.key, floor }
    await measure('Against the floor', () => compareWithFloor(servers, rounds))
    await addSession(ours.bindings.DB, measured)
    await measure('Pages', () => measurePages(servers, measured, rounds))
    await measure('Without credentials', () => measureWithoutCredentials(ours, rounds))
    await measure('Growth', () => measureGrowth(ours.url, organisations, rounds))
    await measure('Export', () => measureExport(ours.url, measured))
    const { peers, skipped } = installPeers()
    lines.push(...skipped.map((peer) => ({ measure: peer, result: 'could not be installed' })))
    await putFlatEvents(ours.bindings.DB, flat.id, measured.members)
    const flatServers = { ...servers, key: flat.key }
    for (const peer of peers) {
      versions.push(`${peer.name} ${peer.version}`)
      await measure(`Against ${peer.name}`, () =>
        compareWithPeer(flatServers, peer, measured.members, folder, rounds),
      )
    }
    await measure('Writes', () => measureWrites(servers, measured.id))
    await Promise.all([ours.runtime.dispose(), floor.runtime.dispose()])
    await measure('Cold starts', () => measureColdStarts({ ours, floor }, measured, rounds))
    await measure('Summaries', () => measureSummaries(folder))
    await measure('Weight', () => measureWeight(folder, rounds))
    lines.push({ measure: 'a member on disk, with its index', result: `${size.toFixed(2)} KiB` })
  } finally {
    console.log(writeReport(lines, versions))
  }
}

/** Adds the lines of a part of the bench to the report. After a failure, the bench continues with the next part. */
async function measure(name: string, part: () => Promise<Line | Line[]>): Promise<void> {
  say(name)
  const started = performance.now()
  try {
    lines.push(...[await part()].flat())
  } catch (error) {
    process.exitCode = 1
    console.error(error)
    lines.push({ measure: name, result: `failed: ${String(error)}`, met: false })
  }
  say(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
}

/** Starts a bench Worker in a separate process, on the database in `folder`. */
async function serve(folder: string, entry: string) {
  const script = bundle(folder, entry)
  return { ...(await startInOwnProcess(() => start(folder, script))), script, folder }
}

function say(...words: string[]): void {
  console.error(words.join(' '))
}
