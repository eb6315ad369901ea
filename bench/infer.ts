import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { listChildren, readCpu } from './cpu.ts'
import { fields, memberValues } from './members.ts'

// Measures `import --infer` of a file from a charity's system, twice: the time, and the CPU and peak
// memory of the command and of the local runtime that it starts.
// node bench/infer.ts [--members 100000] [--profile <folder>], Linux only.

const { values: options } = parseArgs({
  options: { members: { type: 'string', default: '100000' }, profile: { type: 'string' } },
})
const memory = '/dev/shm'
const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'infer-'))
try {
  const file = join(folder, 'members.csv')
  await writeFile(file, rows(Number(options.members)))
  console.log(`${options.members} members, ${(statSync(file).size / 2 ** 20).toFixed(1)} MiB`)
  await admin('organisation', 'add', 'oak-trust', '--name', 'Oak Trust')
  await admin('import', 'oak-trust', file, '--infer')
  await admin('import', 'oak-trust', file, '--infer')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function* rows(members: number) {
  yield `${fields.map(({ id }) => id).join(',')}\r\n`
  for (let member = 0; member < members; member++) {
    yield `${Object.values(memberValues(member)).map(cell).join(',')}\r\n`
  }
}

function cell(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  const text = String(value).replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1')
  return text.includes(',') ? `"${text}"` : text
}

async function admin(...args: string[]): Promise<void> {
  const profile = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : []
  const command = [...profile, 'cli/admin.ts', ...args, '--persist-to', join(folder, 'state')]
  const begun = performance.now()
  const running = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  const output = running.stdout.toArray()
  const { pid = 0 } = running
  const costs = new Map<string, Cost>()
  const sampling = setInterval(() => {
    recordCost(costs, 'command', pid)
    for (const child of listChildren(pid)) recordCost(costs, 'runtime', child)
  }, 100)
  const [code] = await once(running, 'exit')
  clearInterval(sampling)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  const costLines = [...costs].map(
    ([name, { cpu, peak }]) => `${name} ${cpu.toFixed(1)} s of CPU, ${peak.toFixed(0)} MiB`,
  )
  const [last] = String(Buffer.concat(await output))
    .trim()
    .split('\n')
    .toReversed()
  console.log([`${args[0]} ${seconds} s`, ...costLines, last].join('; '))
  if (code !== 0) throw new Error(`${args[0]} exited with ${code}.`)
}

type Cost = { cpu: number; peak: number }

/** Records the cost of a process so far: it is unknown after its end. */
function recordCost(costs: Map<string, Cost>, name: string, pid: number): void {
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (peak) costs.set(name, { cpu: readCpu(pid) / 1000, peak: Number(peak) / 1024 })
}
