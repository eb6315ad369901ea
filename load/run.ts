import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundle } from '../bench/workers.ts'
import { report } from './report.ts'
import { startMigrated } from './start-migrated.ts'
import { type Load, underLoad } from './under-load.ts'

// node load/run.ts [--seconds 60 | --requests <number>] [--connections 50]: exit code 1 when anything was wrong.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    requests: { type: 'string' },
    connections: { type: 'string', default: '50' },
  },
})
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
