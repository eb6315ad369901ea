import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { wranglerOptions, wranglerPath } from '../cli/deployment/wrangler.ts'
import { collectionNames } from '../src/model/collection.ts'
import { sha256 } from '../src/platform/sha256.ts'
import { readThreadsCpu, startInOwnProcess } from './cpu.ts'
import type { MeasuredOrganisation } from './fixture.ts'
import { median } from './load.ts'
import { memberValues } from './members.ts'
import { atMost, type Line } from './report.ts'
import { start } from './workers.ts'

/** A bundled Worker and the folder of its databases. */
type Bundled = { script: string; folder: string }

/** A Worker to start, and its first request. */
export type ColdStart = Bundled & { path: string; init?: () => RequestInit }

/** The CPU of a new process in milliseconds: until it is ready, and for the first answer. */
type Cost = { ready: number; first: number }

/** The secret of the dashboard session that `addSession` creates. */
const sessionSecret = 'c0'.repeat(32)

const farFuture = '9999-01-01T00:00:00.000Z'

/** The headers of a browser with that session. */
export const dashboardHeaders = { Cookie: `__Host-session=${sessionSecret}` }

/** The first request of a new isolate, with the maximum ratio to the bare Worker's. */
type FirstRequest = {
  name: string
  path: string
  init: () => RequestInit
  maxRatio?: number
}

/** Every list, and one with each kind of filter. */
const listPaths = [
  ...collectionNames.map((segment) => `/${segment}?limit=100`),
  '/events?bookable=true&limit=100',
  `/events?$filter=${encodeURIComponent('start ge 2025-01-01')}&limit=100`,
  '/events?$include=times&limit=100',
]

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
  const requests: FirstRequest[] = [
    ...listPaths.map((path) => ({
      name: `GET ${path}`,
      path: `/api/v1${path}`,
      init: () => ({ headers }),
      maxRatio: 3.3,
    })),
    {
      name: 'POST /members',
      path: '/api/v1/members',
      init: () => ({
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(memberValues(newMember++)),
      }),
    },
    {
      name: 'the reports of the dashboard',
      path: `/dashboard/${id}/reports`,
      init: () => ({ headers: dashboardHeaders }),
      maxRatio: 15,
    },
  ]
  const starts: Record<string, ColdStart> = { bare: { ...floor, path: `/?page=${page}` } }
  for (const { name, path, init } of requests) starts[name] = { ...ours, path, init }
  const { bare, ...answers } = await measureColdStartsInTurn(starts, rounds)
  return requests.flatMap(({ name, maxRatio }, index): Line[] => {
    const ours = answers[name]
    if (!ours || !bare) throw new Error(`${name} was not measured.`)
    const ratio = ours.first / bare.first
    const readiness = {
      measure: 'new isolate: CPU until ready, ours and of a bare Worker',
      result: `${formatCpu(ours.ready)}, ${formatCpu(bare.ready)}`,
    }
    const firstAnswer = {
      measure: `new isolate: first answer, ${name} / bare Worker`,
      result: `${ratio.toFixed(2)} (${formatCpu(ours.first)} to ${formatCpu(bare.first)} of CPU)`,
      ...(maxRatio && { target: `≤ ${maxRatio}`, met: ratio <= maxRatio }),
    }
    return index === 0 ? [readiness, firstAnswer] : [firstAnswer]
  })
}

/** Adds a dashboard session of an administrator that neither expires nor needs an update of its last use. */
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
        `INSERT INTO sessions (hash, issuer, subject, name, expires, last_used)
        VALUES (?, ?, ?, 'Bench', ?, ?)`,
      )
      .bind(await sha256(sessionSecret), ...person, farFuture, farFuture),
  ])
}

/** Returns how long wrangler sees the start-up of the Worker with this configuration keep the CPU busy, in milliseconds. */
export function checkStartup(config: string, folder: string): Line {
  const profile = join(folder, 'startup.cpuprofile')
  // wrangler bundles the Worker with a command of its own, to which only `--args` are passed.
  const options = ['--outfile', profile, `--args=--config=${config}`]
  const output = execFileSync(
    process.execPath,
    [wranglerPath, 'check', 'startup', ...options],
    wranglerOptions,
  ).toString()
  const active = Number(/Active: ([\d.]+) ms/.exec(output)?.[1])
  return atMost('wrangler check startup: active', active, 100, ' ms')
}

/** Starts each Worker in turn, round after round. Returns the median costs. */
export async function measureColdStartsInTurn<Name extends string>(
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
  const ready = readThreadsCpu(pid)
  const response = await fetch(new URL(path, url), { redirect: 'manual', ...init?.() })
  await response.arrayBuffer()
  const first = readThreadsCpu(pid) - ready
  await runtime.dispose()
  if (!response.ok) throw new Error(`${path} returned status ${response.status}.`)
  return { ready, first }
}

const formatCpu = (ms: number) => `${ms.toFixed(1)} ms`
