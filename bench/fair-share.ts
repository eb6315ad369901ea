import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Command } from 'commander'
import { unstable_readConfig as readConfig } from 'wrangler'
import { startInOwnProcess } from './cpu.ts'
import { addVariedBookings, fillDatabase } from './fixture.ts'
import { median } from './load.ts'
import { writeFairShare } from './report.ts'
import { skipMemory } from './skip-memory.ts'
import { bundle, createEmptyDatabase, start } from './workers.ts'

/*
 * How long one organisation's small requests wait while another sends expensive lists over many
 * connections: `node bench/fair-share.ts`. All figures of a row are from one run, and compare the
 * waiting with the median of the same requests in an idle service.
 */

const { seconds, unlimited } = new Command('node bench/fair-share.ts')
  .option('--seconds <number>', 'the duration of each load', '30')
  .option('--unlimited', 'without a limit of rows')
  .parse()
  .opts<{ seconds: string; unlimited?: true }>()

/** The most expensive lists that are permitted, by the rows or the time that they take. */
const lists = [
  'bookings?$filter=start gt 2023-01-01 and customPrice gt 100&$count=true',
  "bookings?$filter=contains(userName,'User')&$orderby=start desc&$count=true&$expand=event,member",
  "bookings?$filter=contains(event.name,'Lunch')&$orderby=start desc&$count=true",
  'members?$orderby=Status,Email,Phone&offset=10000&limit=250',
  'members?$filter=Email eq null&$orderby=Phone',
  "members?$filter=contains(Email,'person.')&$count=true&limit=250",
  'members?$filter=Visits gt 10 and Born gt 1980-01-01 and Joined gt 2014-01-01&$orderby=Town,Postcode,Email&$count=true',
]

const small = ['events?limit=10', 'forms/form-7']

type Caller = { url: string; headers: Record<string, string>; agent: Agent }

type Answer = { status: number; ms: number; retryAfter: number }

/** Sends a request; returns its status, its milliseconds and the seconds to wait before the next. */
function send(caller: Caller, path: string): Promise<Answer> {
  const sent = performance.now()
  const { url, headers, agent } = caller
  return new Promise((resolve, reject) => {
    const request = get(`${url}/${path.replaceAll(' ', '%20')}`, { agent, headers }, (response) => {
      response.on('error', reject)
      response.resume().on('end', () => {
        const retryAfter = Number(response.headers['retry-after'] ?? 0)
        resolve({ status: response.statusCode ?? 0, ms: performance.now() - sent, retryAfter })
      })
    })
    request.on('error', (error) => {
      // The server closes a connection that was idle, perhaps at the moment of its next use.
      if (request.reusedSocket) resolve(send(caller, path))
      else reject(error)
    })
  })
}

/** Sends small requests in turn with pauses until the end; returns their milliseconds. */
async function probe(caller: Caller, end: number): Promise<number[]> {
  const times: number[] = []
  for (let turn = 0; performance.now() < end; turn++) {
    const { status, ms } = await send(caller, small[turn % small.length] ?? '')
    if (status !== 200) throw new Error(`A small request returned status ${status}.`)
    times.push(ms)
    await setTimeout(20 + 20 * Math.random())
  }
  return times
}

/** Sends expensive lists over so many connections until the end; returns the number of answers by status. */
async function load(caller: Caller, connections: number, isPatient: boolean, end: number) {
  const answers = new Map<number, number>()
  const connection = async (_: unknown, first: number) => {
    for (let turn = first; performance.now() < end; turn++) {
      const { status, retryAfter } = await send(caller, lists[turn % lists.length] ?? '')
      answers.set(status, (answers.get(status) ?? 0) + 1)
      if (isPatient)
        await setTimeout(Math.min(1000 * retryAfter, Math.max(0, end - performance.now())))
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return answers
}

const introduction = `Measured on ${new Date().toISOString().slice(0, 10)} by \`node bench/fair-share.ts --seconds ${seconds}\`, with the limits of production. One organisation of 20,000 members and 32,000 bookings sends the most expensive lists that are permitted, each of 46,000 to 135,000 rows, over 16 or 64 connections. Meanwhile another sends small requests, \`GET /events?limit=10\` and a single form. The figures are multiples of their idle median, measured before each load; the target is a median of at most 5. The slowest requests waited for the first lists, which use up the share.`

const memory = '/dev/shm'
const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'bench-'))
try {
  const file = await createEmptyDatabase(folder)
  const [busy, other] = await fillDatabase(file, [20_000, 2000])
  if (!busy || !other) throw new Error('Two organisations are missing.')
  addVariedBookings(file, busy, 30_000)
  const { vars } = readConfig({ config: 'wrangler.toml', env: 'production' })
  const variables: Record<string, string> = unlimited
    ? {}
    : { RATE_LIMIT_POLICY: String(vars.RATE_LIMIT_POLICY) }
  const { url, runtime } = await startInOwnProcess(() =>
    start(folder, bundle(folder, 'bench/ours.ts'), { variables }),
  )
  const caller = (headers: Record<string, string>): Caller => ({
    url,
    headers,
    agent: new Agent({ keepAlive: true }),
  })
  // Every expensive list is read from the database.
  const heavy = caller({ 'x-api-key': busy.key, [skipMemory]: '1' })
  const light = caller({ 'x-api-key': other.key })
  for (const path of lists) await send(heavy, path)
  await probe(light, performance.now() + 3000)
  const rows: string[][] = []
  for (const isPatient of [true, false]) {
    for (const connections of [16, 64]) {
      // Other work of the machine changes, so each load is compared with the time before it.
      const idle = median(await probe(light, performance.now() + 10_000))
      const end = performance.now() + 1000 * Number(seconds)
      const [times, answers] = await Promise.all([
        probe(light, end),
        load(heavy, connections, isPatient, end),
      ])
      times.sort((a, b) => a - b)
      const ratio = (part: number) => {
        const at = Math.min(times.length - 1, Math.floor(times.length * part))
        return ((times[at] ?? Number.NaN) / idle).toFixed(1)
      }
      rows.push([
        `${connections} connections${isPatient ? '' : ', ignoring `Retry-After`'}`,
        ...[`${idle.toFixed(1)} ms`, ratio(0.5), ratio(0.95), ratio(1)],
        [...answers].map(([status, count]) => `${count} × ${status}`).join(', '),
      ])
      console.log(rows.at(-1)?.join(' | '))
    }
  }
  await runtime.dispose()
  if (!unlimited) writeFairShare(introduction, rows)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
