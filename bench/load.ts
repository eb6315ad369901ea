import { Agent, get, type IncomingHttpHeaders } from 'node:http'
import { readThreadsCpu } from './cpu.ts'

/** A request to a server: its address, headers and expected status (200 by default). */
export type Request = { url: string; headers?: Record<string, string>; status?: number }

/** A request to a server with a known process. */
export type MeasuredRequest = Request & { pid: number }

/** The result of a load: responses per second, the 99th percentile in milliseconds, and CPU milliseconds and bytes per response. */
export type Load = { rate: number; p99: number; cpu: number; bytes: number }

const agent = new Agent({ keepAlive: true, maxSockets: 2 })

/** Returns a response's text, `Server-Timing` and `ETag`; throws if it has another status than expected. */
export function fetchText(
  request: Request,
): Promise<{ text: string; timing: string; etag: string }> {
  const chunks: Buffer[] = []
  return send(request, (chunk) => chunks.push(chunk)).then((headers) => ({
    text: Buffer.concat(chunks).toString(),
    timing: String(headers['server-timing']),
    etag: String(headers.etag),
  }))
}

function send(
  { url, headers, status = 200 }: Request,
  take: (chunk: Buffer) => void,
): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      response.on('data', take)
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === status) resolve(response.headers)
        else reject(new Error(`${url} returned status ${response.statusCode}.`))
      })
    }).on('error', reject)
  })
}

/** One round of a load: CPU and bytes are those of all its responses. */
export type Round = Load & { responses: number }

/** Sends requests over two connections for some milliseconds, and reads only the length of the responses. */
async function runRound(request: MeasuredRequest, durationMs: number): Promise<Round> {
  const times: number[] = []
  let bytes = 0
  const before = readThreadsCpu(request.pid)
  const begun = performance.now()
  const connection = async () => {
    while (performance.now() - begun < durationMs) {
      const sent = performance.now()
      await send(request, (chunk) => {
        bytes += chunk.length
      })
      times.push(performance.now() - sent)
    }
  }
  await Promise.all([connection(), connection()])
  const rate = (times.length / (performance.now() - begun)) * 1000
  const cpu = readThreadsCpu(request.pid) - before
  times.sort((a, b) => a - b)
  return {
    rate,
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    cpu,
    bytes,
    responses: times.length,
  }
}

// The first requests run code that the engine has not optimised yet.
const warmUp = 5

/** Sends each request in turn, round after round. Returns the medians, and the mean CPU, of the rounds. */
export async function measureInTurn<Name extends string>(
  requests: Record<Name, MeasuredRequest>,
  rounds: number,
  durationMs: number,
): Promise<Record<Name, Load>> {
  const measured = await runRounds(requests, rounds, durationMs)
  const loads = Object.entries<Round[]>(measured).map(([name, all]) => [name, summariseRounds(all)])
  return Object.fromEntries(loads) as Record<Name, Load>
}

/** Sends each request in turn, round after round. Returns the rounds without the first, which warms up and is longer. */
export async function runRounds<Name extends string>(
  requests: Record<Name, MeasuredRequest>,
  rounds: number,
  durationMs: number,
): Promise<Record<Name, Round[]>> {
  const entries = Object.entries<MeasuredRequest>(requests)
  const measured = entries.map(([name]): [string, Round[]] => [name, []])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, [, request]] of entries.entries()) {
      const isWarmUp = round === 0
      const result = await runRound(request, isWarmUp ? durationMs * warmUp : durationMs)
      if (!isWarmUp) measured[index]?.[1].push(result)
    }
  }
  return Object.fromEntries(measured) as Record<Name, Round[]>
}

function summariseRounds(rounds: readonly Round[]): Load {
  const sum = (name: keyof Round) => rounds.reduce((total, round) => total + round[name], 0)
  return {
    rate: median(rounds.map(({ rate }) => rate)),
    p99: median(rounds.map(({ p99 }) => p99)),
    cpu: sum('cpu') / sum('responses'),
    bytes: sum('bytes') / sum('responses'),
  }
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Returns the number of rows that a response says were read for it. */
export const parseRowsRead = ({ timing }: { timing: string }) =>
  Number(/desc="(\d+) rows read"/.exec(timing)?.[1])
