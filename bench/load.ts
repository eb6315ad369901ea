import { Agent, get, type IncomingHttpHeaders } from 'node:http'
import { cpuOf } from './cpu.ts'

/** A request to a server: its address, headers and expected status (200 by default). */
export type Ask = { url: string; headers?: Record<string, string>; status?: number }

/** A request to a server with a known process. */
export type Served = Ask & { pid: number }

/** The result of a load: responses per second, the 99th percentile in milliseconds, and CPU milliseconds and bytes per response. */
export type Load = { rate: number; p99: number; cpu: number; bytes: number }

const agent = new Agent({ keepAlive: true, maxSockets: 2 })

/** One answer's text, and what it says of its cost; throws unless its status is the one asked for. */
export function answer(ask: Ask): Promise<{ text: string; timing: string }> {
  const chunks: Buffer[] = []
  return send(ask, (chunk) => chunks.push(chunk)).then((headers) => ({
    text: Buffer.concat(chunks).toString(),
    timing: String(headers['server-timing']),
  }))
}

function send(
  { url, headers, status = 200 }: Ask,
  take: (chunk: Buffer) => void,
): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      response.on('data', take)
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === status) resolve(response.headers)
        else reject(new Error(`${url} was answered ${response.statusCode}.`))
      })
    }).on('error', reject)
  })
}

/** A round of it: CPU and bytes are those of all its answers. */
type Round = Load & { answers: number }

/** Asks over two connections for so many milliseconds, reading no more of the answers than how long they are. */
async function load(ask: Served, milliseconds: number): Promise<Round> {
  const times: number[] = []
  let bytes = 0
  const before = cpuOf(ask.pid)
  const begun = performance.now()
  const connection = async () => {
    while (performance.now() - begun < milliseconds) {
      const sent = performance.now()
      await send(ask, (chunk) => {
        bytes += chunk.length
      })
      times.push(performance.now() - sent)
    }
  }
  await Promise.all([connection(), connection()])
  const rate = (times.length / (performance.now() - begun)) * 1000
  const cpu = cpuOf(ask.pid) - before
  times.sort((a, b) => a - b)
  return {
    rate,
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    cpu,
    bytes,
    answers: times.length,
  }
}

/** Loads each of `asks` in turn, round after round, the first of which only warms up; the medians of the others, and their CPU in all. */
export async function alternate<Name extends string>(
  asks: Record<Name, Served>,
  rounds: number,
  milliseconds: number,
): Promise<Record<Name, Load>> {
  const names = Object.keys(asks) as Name[]
  const all = names.map((): Round[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [place, name] of names.entries()) {
      const measured = await load(asks[name], milliseconds)
      if (round > 0) all[place]?.push(measured)
    }
  }
  const loads = names.map((name, place): [string, Load] => [name, summary(all[place] ?? [])])
  return Object.fromEntries(loads) as Record<Name, Load>
}

// CPU is added up over the rounds, as the kernel's steps are too coarse for one of them.
function summary(rounds: readonly Round[]): Load {
  const sum = (name: keyof Round) => rounds.reduce((total, round) => total + round[name], 0)
  return {
    rate: median(rounds.map(({ rate }) => rate)),
    p99: median(rounds.map(({ p99 }) => p99)),
    cpu: sum('cpu') / sum('answers'),
    bytes: sum('bytes') / sum('answers'),
  }
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
