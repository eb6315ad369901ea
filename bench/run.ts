import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { migrate } from '../cli/state/bindings.ts'
import { againstFloor } from './against-floor.ts'
import { againstPeers } from './against-peers.ts'
import { inOwnProcess } from './cpu.ts'
import { fill } from './fixture.ts'
import { putFlatEvents } from './flat-events.ts'
import { growth, wholePull } from './growth.ts'
import { report } from './report.ts'
import { weight } from './weight.ts'
import { withoutCredentials } from './without-credentials.ts'
import { bundle, emptyDatabase, noteMigrations, start } from './workers.ts'
import { writes } from './writes.ts'

const values = new Command('npm run bench --')
  .description('Measure the Worker: Linux only, about fifteen minutes and 2 GB of memory.')
  .option('--sizes <numbers>', 'members of each organisation', '1000,10000,100000,1000000')
  .option('--rounds <number>', 'how often each request is measured', '11')
  .parse()
  .opts<{ sizes: string; rounds: string }>()
const sizes = values.sizes.split(',').map(Number)
const rounds = Number(values.rounds)

// The local D1 waits for its disk at every request, a read too, which would level all differences:
// where there is a disk in memory, all databases are there, those of the peers as well.
const memory = '/dev/shm'
const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'bench-'))
try {
  const file = await emptyDatabase(folder)
  say('Writing organisations of', values.sizes, 'members')
  // The first has no members, only the flat events that peers are compared on.
  const [flat, ...organisations] = await fill(file, [0, ...sizes])
  const members = sizes.reduce((sum, size) => sum + size)
  const peered = organisations.find((organisation) => organisation.members === 100_000)
  const measured = peered ?? organisations.at(-1)
  if (!flat || !measured) throw new Error('--sizes: give one at least.')
  const size = statSync(file).size / members / 1024
  const ours = await serve(folder, 'bench/ours.ts')
  await noteMigrations(ours.bindings.DB, 'migrations/records')
  await migrate(ours.bindings.GEOGRAPHY, 'migrations/geography')
  const floor = await serve(join(folder, 'floor'), 'bench/floor.ts')
  const servers = { ...ours, key: measured.key, floor }
  say('Against the floor')
  const lines = await againstFloor(servers, rounds)
  say('Without credentials')
  lines.push(...(await withoutCredentials(ours, rounds)))
  say('Growth')
  lines.push(...(await growth(ours.url, organisations, rounds)))
  lines.push(await wholePull(ours.url, measured))
  say('Against peers')
  await putFlatEvents(ours.bindings.DB, flat.id, measured.members)
  const peers = await againstPeers(servers, flat.key, measured.members, folder, rounds)
  lines.push(...peers.lines)
  say('Writes')
  lines.push(...(await writes(servers, measured.id)))
  await Promise.all([ours.runtime.dispose(), floor.runtime.dispose()])
  say('Weight')
  lines.push(...(await weight(join(folder, 'empty'), rounds)))
  lines.push({ measure: 'a member on disk, with its index', result: `${size.toFixed(2)} KiB` })
  report(lines, [`Node ${process.version}`, ...peers.versions])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Starts a bench Worker in a separate process, on the database in `folder`. */
async function serve(folder: string, entry: string) {
  const script = bundle(folder, entry)
  return inOwnProcess(() => start(folder, script))
}

function say(...words: string[]): void {
  console.error(words.join(' '))
}
