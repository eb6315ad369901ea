import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { bundle } from '../workers.ts'
import { report } from './report.ts'
import { startMigrated } from './start-migrated.ts'
import { type Load, underLoad } from './under-load.ts'

const values = new Command('npm run load --')
  .description('Check every answer of the Worker under load; the exit code is 1 if one was wrong.')
  .option('--seconds <number>', 'how long to send requests', '60')
  .option('--requests <number>', 'how many requests to send, however long it takes')
  .option('--connections <number>', 'over how many connections', '50')
  .parse()
  .opts<{ seconds: string; requests?: string; connections: string }>()
const load: Load = {
  connections: Number(values.connections),
  ...(values.requests
    ? { requests: Number(values.requests) }
    : { seconds: Number(values.seconds) }),
}

// The local D1 waits for its disk at every request: where there is a disk in memory, it is there.
const memory = '/dev/shm'
const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'load-'))
try {
  const started = await startMigrated(folder, bundle(folder, 'src/index.ts'))
  try {
    const { lines, isGood } = report(load, await underLoad(started, load))
    console.log(lines.join('\n'))
    if (!isGood) process.exitCode = 1
  } finally {
    await started.runtime.dispose()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
