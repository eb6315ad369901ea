import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { againstFloor } from './against-floor.ts'
import { againstPeers } from './against-peers.ts'
import { fill } from './fixture.ts'
import { growth, wholePull } from './growth.ts'
import { report } from './report.ts'
import { weight } from './weight.ts'
import { bundle, emptyDatabase, migrate, start } from './workers.ts'
import { writes } from './writes.ts'

// node bench/run.ts [--sizes 1000,100000] [--rounds 11]: about ten minutes and 2 GB of memory with all sizes.

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000,1000000' },
    rounds: { type: 'string', default: '11' },
  },
})
const sizes = values.sizes.split(',').map(Number)
const rounds = Number(values.rounds)

// The local D1 waits for its disk at every request, a read too, which would level all differences:
// where there is a disk in memory, all databases are there, those of the peers as well.
const memory = '/dev/shm'
const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'bench-'))
try {
  const floor = bundle(folder, 'bench/floor.ts')
  const scripts = { ours: bundle(folder, 'bench/ours.ts'), floor }
  const file = await emptyDatabase(folder)
  say('Writing organisations of', values.sizes, 'members')
  const organisations = await fill(file, sizes)
  const members = sizes.reduce((sum, size) => sum + size)
  const peered = organisations.find((organisation) => organisation.members === 100_000)
  const measured = peered ?? organisations.at(-1)
  if (!measured) throw new Error('--sizes: give one at least.')
  const { runtime, url, floor: floorUrl } = await start(folder, scripts)
  const db = await runtime.getD1Database('DB', 'ours')
  const geography = await runtime.getD1Database('GEOGRAPHY', 'ours')
  await migrate(geography, 'migrations-geography')
  const servers = { url, floor: floorUrl, key: measured.key, db }
  const size = { file, members }
  say('Against the floor')
  const lines = await againstFloor(servers, rounds)
  say('Growth')
  lines.push(...(await growth(url, organisations, rounds)))
  lines.push(await wholePull(url, measured))
  say('Against peers')
  const peers = await againstPeers(servers, measured.members, folder, rounds)
  lines.push(...peers.lines)
  say('Writes')
  lines.push(...(await writes(servers, measured.id)))
  await runtime.dispose()
  say('Weight')
  lines.push(...(await weight(join(folder, 'empty'), bundle(folder, 'src/index.ts'), size)))
  report(lines, [`Node ${process.version}`, ...peers.versions])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function say(...words: string[]): void {
  console.error(words.join(' '))
}
