import { Agent, get, type IncomingHttpHeaders } from 'node:http'

/** What is asked of a server: an address, and headers. */
export type Ask = { url: string; headers?: Record<string, string> }

/** What came of asking for a while: answers a second, and the 99th percentile of their times in milliseconds. */
export type Load = { rate: number; p99: number }

const agent = new Agent({ keepAlive: true, maxSockets: 2 })

/** One answer's text, and what it says of its cost; throws unless its status is 200. */
export function answer(ask: Ask): Promise<{ text: string; timing: string }> {
  const chunks: Buffer[] = []
  return send(ask, (chunk) => chunks.push(chunk)).then((headers) => ({
    text: Buffer.concat(chunks).toString(),
    timing: String(headers['server-timing']),
  }))
}

function send({ url, headers }: Ask, take: (chunk: Buffer) => void): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      response.on('data', take)
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(response.headers)
        else reject(new Error(`${url} was answered ${response.statusCode}.`))
      })
    }).on('error', reject)
  })
}

/** Asks over two connections for so many milliseconds, reading no more of the answers than that they are good. */
export async function load(ask: Ask, milliseconds: number): Promise<Load> {
  const times: number[] = []
  const begun = performance.now()
  const connection = async () => {
    while (performance.now() - begun < milliseconds) {
      const sent = performance.now()
      await send(ask, () => {})
      times.push(performance.now() - sent)
    }
  }
  await Promise.all([connection(), connection()])
  const rate = (times.length / (performance.now() - begun)) * 1000
  times.sort((a, b) => a - b)
  return { rate, p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN }
}

/** Loads each of `asks` in turn, round after round; the medians of the rounds, the first of which only warms up. */
export async function alternate<Name extends string>(
  asks: Record<Name, Ask>,
  rounds: number,
  milliseconds: number,
): Promise<Record<Name, Load>> {
  const names = Object.keys(asks) as Name[]
  const loads = names.map((): Load[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [place, name] of names.entries()) {
      const measured = await load(asks[name], milliseconds)
      if (round > 0) loads[place]?.push(measured)
    }
  }
  const medians = names.map((name, place) => {
    const of = loads[place] ?? []
    return [
      name,
      { rate: median(of.map(({ rate }) => rate)), p99: median(of.map(({ p99 }) => p99)) },
    ]
  })
  return Object.fromEntries(medians)
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
