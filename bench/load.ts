import { Agent, get } from 'node:http'

/** What is asked of a server: an address, and headers. */
export type Ask = { url: string; headers?: Record<string, string> }

/** What came of asking for a while: answers a second, and the 99th percentile of their times in milliseconds. */
export type Load = { rate: number; p99: number }

const agent = new Agent({ keepAlive: true, maxSockets: 2 })

/** One answer's text and headers; throws unless its status is good. */
export function answer({ url, headers }: Ask): Promise<{ text: string; timing: string }> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode === 200) {
          resolve({ text, timing: String(response.headers['server-timing']) })
        } else {
          reject(new Error(`${url} was answered ${response.statusCode}: ${text.slice(0, 300)}`))
        }
      })
    }).on('error', reject)
  })
}

/** Asks over two connections for so many milliseconds. */
export async function load(ask: Ask, milliseconds: number): Promise<Load> {
  const times: number[] = []
  const begun = performance.now()
  const connection = async () => {
    while (performance.now() - begun < milliseconds) {
      const sent = performance.now()
      await answer(ask)
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
