import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../cli/deployment/environment.ts'
import { migrate } from '../cli/state/bindings.ts'
import { ourRequest, type Server, withoutMemory } from './against-floor.ts'
import { type ColdStart, measureColdStartsInTurn } from './cold-starts.ts'
import { startInOwnProcess } from './cpu.ts'
import { fillDatabase, type MeasuredOrganisation } from './fixture.ts'
import { fetchText, type MeasuredRequest, median, runRounds } from './load.ts'
import { bundle, createEmptyDatabase, recordMigrations, start } from './workers.ts'

/** The CPU of a request in milliseconds, before and now. */
export type Comparison = { request: string; before: number; now: number; ratio: number }

/** A running Worker, the text of its bundle, and the folder of its databases. */
type Side = Server & { script: string; folder: string; dispose: () => Promise<void> }

const members = 10_000

/** More than this is slower, not noise. */
export const maxRatio = 1.05

const paths = [
  '/events?limit=100',
  '/members?limit=100',
  '/bookings?limit=100',
  '/events?limit=25&eventId=event-7',
  '/forms/form-7',
  '/members/member-7',
]

/** The path of the repeated and the unchanged answer, and of the first request of a new isolate. */
const repeatedPath = '/events?limit=100'

/** The last commit before the work: HEAD if files have changed since, otherwise its parent. */
export function findPreviousCommit(): string {
  const changes = git('status', '--porcelain', '--untracked-files=no')
  return changes ? 'HEAD' : 'HEAD^'
}

/**
 * Compares the CPU of the Worker of the work tree with that of a commit. Each has its own process and the same records,
 * and they answer in turn. A ratio is the median of the ratios of all rounds, so other work of the machine, which slows
 * both sides of a round, hardly changes it. A ratio above the limit is measured again, and the lower one counts.
 */
export async function compareWithCommit(commit: string, folder: string): Promise<Comparison[]> {
  const scripts = {
    before: bundle(
      join(folder, 'before'),
      'bench/ours.ts',
      checkOut(commit, join(folder, 'commit')),
    ),
    now: bundle(join(folder, 'now'), 'bench/ours.ts'),
  }
  const original = join(folder, 'original')
  const [organisation] = await fillDatabase(await createEmptyDatabase(original), [members])
  if (!organisation) throw new Error('The database has no organisation.')
  const sides = {
    before: await serveCopy(original, join(folder, 'before'), scripts.before),
    now: await serveCopy(original, join(folder, 'now'), scripts.now),
  }
  const comparisons: Comparison[] = []
  for (const [request, pair] of await listRequests(sides, organisation))
    comparisons.push(await measureAgainIfSlower(() => compareLoads(request, pair)))
  await Promise.all(Object.values(sides).map((side) => side.dispose()))
  comparisons.push(await measureAgainIfSlower(() => compareColdStarts(sides, organisation)))
  return comparisons
}

type Pair<Value> = { before: Value; now: Value }

/** The measured requests by name. */
async function listRequests(
  sides: Pair<Side>,
  { key }: MeasuredOrganisation,
): Promise<[string, Pair<MeasuredRequest>][]> {
  const onBoth = (toRequest: (request: MeasuredRequest) => MeasuredRequest, path: string) => ({
    before: toRequest(ourRequest({ ...sides.before, key }, path)),
    now: toRequest(ourRequest({ ...sides.now, key }, path)),
  })
  const unchanged = (etag: string) => (request: MeasuredRequest) => ({
    ...request,
    headers: { ...request.headers, 'If-None-Match': etag },
    status: 304,
  })
  const repeated = onBoth((request) => request, repeatedPath)
  const notModified = {
    before: unchanged((await fetchText(repeated.before)).etag)(repeated.before),
    now: unchanged((await fetchText(repeated.now)).etag)(repeated.now),
  }
  return [
    ...paths.map((path): [string, Pair<MeasuredRequest>] => [path, onBoth(withoutMemory, path)]),
    [`${repeatedPath}, repeated`, repeated],
    [`${repeatedPath}, 304`, notModified],
  ]
}

async function measureAgainIfSlower(measure: () => Promise<Comparison>): Promise<Comparison> {
  const measured = await measure()
  if (measured.ratio <= maxRatio) return measured
  const again = await measure()
  return again.ratio < measured.ratio ? again : measured
}

async function compareLoads(request: string, pair: Pair<MeasuredRequest>): Promise<Comparison> {
  const { before, now } = await runRounds(pair, 14, 180)
  const costs = before.map((round, index) => ({
    before: round.cpu / round.responses,
    now: (now[index]?.cpu ?? Number.NaN) / (now[index]?.responses ?? 1),
  }))
  return {
    request,
    before: median(costs.map((cost) => cost.before)),
    now: median(costs.map((cost) => cost.now)),
    ratio: median(costs.map((cost) => cost.now / cost.before)),
  }
}

async function compareColdStarts(
  { before, now }: Pair<Side>,
  { key }: MeasuredOrganisation,
): Promise<Comparison> {
  const toColdStart = ({ script, folder }: Side): ColdStart => ({
    script,
    folder,
    path: `/api/v1${repeatedPath}`,
    init: () => ({ headers: { 'x-api-key': key } }),
  })
  const costs = await measureColdStartsInTurn(
    { before: toColdStart(before), now: toColdStart(now) },
    7,
  )
  return {
    request: `${repeatedPath} in a new isolate`,
    before: costs.before.first,
    now: costs.now.first,
    ratio: costs.now.first / costs.before.first,
  }
}

/** Writes the files of a commit to a folder, with the packages of the work tree. */
function checkOut(commit: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', commit], {
    cwd: repositoryRoot,
    maxBuffer: 2 ** 28,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Serves a Worker on its own copy of the databases. */
async function serveCopy(original: string, folder: string, script: string): Promise<Side> {
  cpSync(original, folder, { recursive: true })
  const { runtime, ...server } = await startInOwnProcess(() => start(folder, script))
  await recordMigrations(server.bindings.DB, 'migrations/records')
  await migrate(server.bindings.GEOGRAPHY, 'migrations/geography')
  return { ...server, script, folder, dispose: () => runtime.dispose() }
}

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: repositoryRoot }).toString().trim()
