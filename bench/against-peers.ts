import { join } from 'node:path'
import { floorRequest, ourRequest, type Servers } from './against-floor.ts'
import { fetchText, measureInTurn } from './load.ts'
import { memberId } from './members.ts'
import {
  columnName,
  events,
  installPeers,
  members,
  type Peer,
  type PeerQuery,
  toComparable,
  waitUntilReady,
  writeTables,
} from './peers.ts'
import { type Line, rateRatio } from './report.ts'

type Comparison = {
  name: string
  query: PeerQuery
  minRatio?: Partial<Record<Peer['name'], number>>
}

const minRatios = (directus: number, soul: number) => ({
  directus,
  'soul-cli': soul,
  'soul-cli without indexes': soul,
})

const comparisons = (records: number): Comparison[] => [
  ...[events, members].flatMap((table) => [
    { name: `${table.name} list of 100`, query: { table, offset: 0 }, minRatio: minRatios(8, 3.5) },
    {
      name: `${table.name} list of 100 at ${records - 1000}`,
      query: { table, offset: records - 1000 },
      minRatio: minRatios(12, 6),
    },
  ]),
  { name: 'events, one filter of 0.1 %', query: { table: events, offset: 0, value: 'event-7' } },
  {
    name: 'members, one filter of 0.1 %',
    query: { table: members, offset: 0, value: 'cohort 7' },
  },
  { name: 'single member', query: { table: members, record: 7 } },
]

/** Compares our pages of members and, with `flatKey`, of flat events with those of the peers, `records` each. */
export async function compareWithPeers(
  servers: Servers,
  flatKey: string,
  records: number,
  folder: string,
  rounds: number,
): Promise<{ lines: Line[]; versions: string[] }> {
  const { peers, skipped } = installPeers()
  const lines: Line[] = skipped.map((message) => ({ measure: message, result: 'skipped' }))
  const versions: string[] = []
  for (const [index, peer] of peers.entries()) {
    const port = 18_300 + index
    const file = join(folder, `${peer.name}.sqlite`)
    writeTables(file, [members, events], records, peer.isIndexed)
    const process = await peer.start(port, file)
    try {
      await waitUntilReady(peer.request(port, { table: members, record: 0 }))
      for (const question of comparisons(records)) {
        const key = question.query.table === events ? flatKey : servers.key
        const target = { peer, port, pid: Number(process.pid) }
        lines.push(...(await compare({ ...servers, key }, target, question, rounds)))
      }
      versions.push(`${peer.npm} ${peer.version}`)
    } finally {
      process.kill()
    }
  }
  return { lines, versions: [...new Set(versions)] }
}

/** Compares us and the floor with a peer. The floor sends our bytes: no Worker on D1 can do better. */
async function compare(
  servers: Servers,
  { peer, port, pid }: { peer: Peer; port: number; pid: number },
  { name, query, minRatio }: Comparison,
  rounds: number,
): Promise<Line[]> {
  const path = toPath(query)
  const ours = ourRequest(servers, path)
  const theirs = { ...peer.request(port, query), pid }
  const { text } = await fetchText(ours)
  const peerRows = peer.parseRows((await fetchText(theirs)).text)
  const measure = `${name} / ${peer.name}`
  if (joinRows(peerRows, query) !== joinRows(ourRows(text), query)) {
    return [{ measure, result: 'no ratio: the responses differ', met: false }]
  }
  const list = 'record' in query ? undefined : query.table.name
  const floor = await floorRequest(servers.floor, path, text, list)
  const loads = await measureInTurn({ ours, theirs, floor }, rounds, 400)
  return [
    rateRatio(measure, loads.ours, loads.theirs, minRatio?.[peer.name]),
    rateRatio(`${name}: floor / ${peer.name}`, loads.floor, loads.theirs),
  ]
}

const joinRows = (rows: readonly Record<string, unknown>[], { table }: PeerQuery) =>
  rows.map((row) => toComparable(row, table)).join('\n\n')

function toPath(query: PeerQuery): string {
  const { name, filtered } = query.table
  if ('record' in query) return `/${name}/${memberId(query.record)}`
  const filter = query.value ? `&${filtered[0]}=${encodeURIComponent(query.value)}` : ''
  return `/${name}?limit=100&offset=${query.offset}${filter}`
}

/** Returns the records of our response as rows of a peer: a member's fields are its columns. */
function ourRows(text: string): Record<string, unknown>[] {
  const { events, members, member } = JSON.parse(text)
  if (events) return events
  const people: { memberId: string; fields: { key: string; value: unknown }[] }[] = members ?? [
    member,
  ]
  return people.map(({ memberId, fields }) => ({
    memberId,
    ...Object.fromEntries(fields.map(({ key, value }) => [columnName(key), value])),
  }))
}
