import { once } from 'node:events'
import { join } from 'node:path'
import { ourRequest, type Servers, withoutMemory } from './against-floor.ts'
import { fetchText, measureInTurn } from './load.ts'
import {
  filtered,
  type Peer,
  type PeerQuery,
  toComparable,
  waitUntilReady,
  writeEvents,
} from './peers.ts'
import { cpuRatio, formatMs, type Line } from './report.ts'

const port = 18_300

type Comparison = { name: string; query: PeerQuery; max?: Maxima }

/** The maximum ratios to a peer's CPU. */
type Maxima = { repeated?: number; first?: Partial<Record<Peer['name'], number>> }

const comparisons = (records: number): Comparison[] => [
  { name: 'events list of 100', query: { offset: 0 }, max: { repeated: 1 } },
  {
    name: `events list of 100 at ${records - 1000}`,
    query: { offset: records - 1000 },
    max: { repeated: 1, first: { 'soul-cli': 0.17 } },
  },
  { name: 'events, one filter of 0.1 %', query: { offset: 0, value: 'event-7' } },
  { name: 'single event', query: { record: 7 } },
]

/** Compares our pages of flat events with those of a peer, `records` each. The servers' key is of the organisation with the events. */
export async function compareWithPeer(
  servers: Servers,
  peer: Peer,
  records: number,
  folder: string,
  rounds: number,
): Promise<Line[]> {
  const lines: Line[] = []
  const file = join(folder, `${peer.name}.sqlite`)
  writeEvents(file, records)
  const process = await peer.start(port, file)
  try {
    await waitUntilReady(peer.request(port, { record: 0 }))
    const target = { peer, pid: Number(process.pid) }
    for (const comparison of comparisons(records))
      lines.push(...(await compare(servers, target, comparison, rounds)))
  } finally {
    process.kill()
    await once(process, 'exit')
  }
  return lines
}

/** Compares our first and repeated requests with a peer's. */
async function compare(
  servers: Servers,
  { peer, pid }: { peer: Peer; pid: number },
  { name, query, max }: Comparison,
  rounds: number,
): Promise<Line[]> {
  const repeated = ourRequest(servers, toPath(query))
  const theirs = { ...peer.request(port, query), pid }
  const { text } = await fetchText(repeated)
  const peerRows = peer.parseRows((await fetchText(theirs)).text)
  if (joinRows(peerRows) !== joinRows(ourRows(text))) {
    const measure = `${name} / ${peer.name}`
    return [{ measure, result: 'no ratio: the responses differ', met: false }]
  }
  const loads = await measureInTurn(
    { first: withoutMemory(repeated), repeated, theirs },
    rounds,
    400,
  )
  const measure = (request: string) => `${name}, ${request} / ${peer.name}`
  const first = cpuRatio(
    measure('first request'),
    loads.first,
    loads.theirs,
    max?.first?.[peer.name],
  )
  // Only lists are in the page memory.
  if ('record' in query) return [first]
  const isPlain = query.offset === 0 && query.value === undefined
  return [
    {
      ...first,
      ...(isPlain && {
        plain: {
          request: `A page of 100 short events, the same from ${peer.name} and from us`,
          answer: `${formatMs(loads.theirs)} from ${peer.name}; ${formatMs(loads.first)} from us, ${formatMs(loads.repeated)} repeated`,
        },
      }),
    },
    cpuRatio(measure('repeated'), loads.repeated, loads.theirs, max?.repeated),
  ]
}

const joinRows = (rows: readonly Record<string, unknown>[]) => rows.map(toComparable).join('\n\n')

function toPath(query: PeerQuery): string {
  if ('record' in query) return `/events/event-${query.record}`
  const filter = query.value ? `&${filtered}=${encodeURIComponent(query.value)}` : ''
  return `/events?limit=100&offset=${query.offset}${filter}`
}

/** Returns the records of our response. */
function ourRows(text: string): Record<string, unknown>[] {
  const { events, event } = JSON.parse(text)
  return events ?? [event]
}
