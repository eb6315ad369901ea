import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { wranglerOptions, wranglerPath } from '../cli/deployment/wrangler.ts'
import { sha256 } from '../src/platform/sha256.ts'
import { startInOwnProcess } from './cpu.ts'
import type { MeasuredOrganisation } from './fixture.ts'
import { median } from './load.ts'
import { memberValues } from './members.ts'
import { atMost, type Line } from './report.ts'
import { start } from './workers.ts'

/** A bundled Worker and the folder of its databases. */
type Bundled = { script: string; folder: string }

/** A Worker to start, and its first request. */
type ColdStart = Bundled & { path: string; init?: () => RequestInit }

/** The CPU of a new process in milliseconds: until it is ready, and for the first answer. */
type Cost = { ready: number; first: number }

/** The secret of the dashboard session that `addSession` creates. */
const sessionSecret = 'c0'.repeat(32)

/** The headers of a browser with that session. */
export const dashboardHeaders = { Cookie: `__Host-session=${sessionSecret}` }

// The members of the fixture and of the other measurements have lower numbers.
let newMember = 9_000_000

/**
 * Measures the CPU of new isolates until they are ready, and of their first answers, beside a bare
 * Worker that reads the same events. Both sides start in turn. The floor's databases hold the events.
 */
export async function measureColdStarts(
  { ours, floor }: { ours: Bundled; floor: Bundled },
  { id, key }: MeasuredOrganisation,
  rounds: number,
): Promise<Line[]> {
  const headers = { 'x-api-key': key }
  const page = encodeURIComponent('/events?limit=100')
  const costs = await measureInTurn(
    {
      bare: { ...floor, path: `/?page=${page}` },
      'GET /events': { ...ours, path: '/api/v1/events?limit=100', init: () => ({ headers }) },
      'GET /members': { ...ours, path: '/api/v1/members?limit=100', init: () => ({ headers }) },
      'POST /members': {
        ...ours,
        path: '/api/v1/members',
        init: () => ({
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: JSON.stringify(memberValues(newMember++)),
        }),
      },
      'the reports of the dashboard': {
        ...ours,
        path: `/dashboard/${id}/reports`,
        init: () => ({ headers: dashboardHeaders }),
      },
    },
    rounds,
  )
  const { bare, ...answers } = costs
  return [
    {
      measure: 'new isolate: CPU until ready, ours and of a bare Worker',
      result: `${formatCpu(answers['GET /events'].ready)}, ${formatCpu(bare.ready)}`,
    },
    ...Object.entries(answers).map(([name, { first }]): Line => {
      const ratio = first / bare.first
      return {
        measure: `new isolate: first answer, ${name} / bare Worker`,
        result: `${ratio.toFixed(2)} (${formatCpu(first)} to ${formatCpu(bare.first)} of CPU)`,
        ...(name === 'GET /events' && { target: '≤ 2', met: ratio <= 2 }),
      }
    }),
  ]
}

/** Adds a dashboard session of an administrator. */
export async function addSession(db: D1Database, { id }: MeasuredOrganisation): Promise<void> {
  const person = ['https://login.example', 'bench']
  await db.batch([
    db
      .prepare(
        `INSERT INTO memberships (organisation_id, email, role, created, issuer, subject)
        VALUES (?, 'bench@example.org', 'admin', '', ?, ?)`,
      )
      .bind(id, ...person),
    db
      .prepare(
        `INSERT INTO sessions (hash, issuer, subject, name, expires)
        VALUES (?, ?, ?, 'Bench', '9999-01-01T00:00:00.000Z')`,
      )
      .bind(await sha256(sessionSecret), ...person),
  ])
}

/** Returns how long wrangler sees the Worker's start-up keep the CPU busy, in milliseconds. */
export function checkStartup(config: string, folder: string): Line {
  const profile = join(folder, 'startup.cpuprofile')
  const options = ['--config', config, '--outfile', profile, '--args=--minify']
  const output = execFileSync(
    process.execPath,
    [wranglerPath, 'check', 'startup', ...options],
    wranglerOptions,
  ).toString()
  const active = Number(/Active: ([\d.]+) ms/.exec(output)?.[1])
  return atMost('wrangler check startup: active', active, 100, ' ms')
}

/** Starts each Worker in turn, round after round. Returns the median costs. */
async function measureInTurn<Name extends string>(
  starts: Record<Name, ColdStart>,
  rounds: number,
): Promise<Record<Name, Cost>> {
  const measured = new Map<string, Cost[]>()
  const entries = Object.entries<ColdStart>(starts)
  for (let round = 0; round < rounds; round++) {
    for (const [name, cold] of entries)
      measured.set(name, [...(measured.get(name) ?? []), await measureOne(cold)])
  }
  const medians = [...measured].map(([name, costs]) => [
    name,
    {
      ready: median(costs.map(({ ready }) => ready)),
      first: median(costs.map(({ first }) => first)),
    },
  ])
  return Object.fromEntries(medians) as Record<Name, Cost>
}

async function measureOne({ script, folder, path, init }: ColdStart): Promise<Cost> {
  const { runtime, url, pid } = await startInOwnProcess(() => start(folder, script))
  const ready = readThreads(pid)
  const response = await fetch(new URL(path, url), { redirect: 'manual', ...init?.() })
  await response.arrayBuffer()
  const first = readThreads(pid) - ready
  await runtime.dispose()
  if (!response.ok) throw new Error(`${path} returned status ${response.status}.`)
  return { ready, first }
}

/** Returns the CPU time of a process's threads, in milliseconds. `readCpu` is too coarse for one request. */
function readThreads(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const times = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, time) => sum + time, 0) / 1e6
}

const formatCpu = (ms: number) => `${ms.toFixed(1)} ms`
