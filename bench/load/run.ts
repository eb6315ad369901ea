import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { bundle } from '../workers.ts'
import { formatReport } from './report.ts'
import { type Load, runLoad, startMigrated } from './under-load.ts'

const values = new Command('npm run load --')
  .description('Check every response of the Worker under load; the exit code is 1 if one is wrong.')
  .option('--seconds <number>', 'the duration of the load', '60')
  .option('--requests <number>', 'the number of requests, instead of a duration')
  .option('--connections <number>', 'the number of connections', '50')
  .parse()
  .opts<{ seconds: string; requests?: string; connections: string }>()
const load: Load = {
  connections: Number(values.connections),
  ...(values.requests
    ? { requests: Number(values.requests) }
    : { seconds: Number(values.seconds) }),
}

// The local D1 waits for its disk at every request, so it is in memory if the system has such a disk.
const memory = '/dev/shm'
const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'load-'))
try {
  const started = await startMigrated(folder, bundle(folder, 'src/index.ts'))
  try {
    const { lines, passed } = formatReport(load, await runLoad(started, load))
    console.log(lines.join('\n'))
    if (!passed) process.exitCode = 1
  } finally {
    await started.runtime.dispose()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
