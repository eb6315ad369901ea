import { join } from 'node:path'
import { askOurs, onFloor, type Servers } from './against-floor.ts'
import { alternate, answer } from './load.ts'
import { memberId } from './members.ts'
import {
  column,
  comparable,
  events,
  install,
  members,
  type Peer,
  untilReady,
  type Wanted,
  writeTables,
} from './peers.ts'
import { type Line, rateRatio } from './report.ts'

type Question = { name: string; wanted: Wanted; least?: Partial<Record<Peer['name'], number>> }

const atLeast = (directus: number, soul: number) => ({
  directus,
  'soul-cli': soul,
  'soul-cli without indexes': soul,
})

const questions = (records: number): Question[] => [
  ...[events, members].flatMap((table) => [
    { name: `${table.name} list of 100`, wanted: { table, offset: 0 }, least: atLeast(8, 3.5) },
    {
      name: `${table.name} list of 100 at ${records - 1000}`,
      wanted: { table, offset: records - 1000 },
      least: atLeast(12, 6),
    },
  ]),
  { name: 'events, one filter of 0.1 %', wanted: { table: events, offset: 0, value: 'event-7' } },
  {
    name: 'members, one filter of 0.1 %',
    wanted: { table: members, offset: 0, value: 'cohort 7' },
  },
  { name: 'single member', wanted: { table: members, record: 7 } },
]

/** Our pages of members and, with `flatKey`, of flat events against the same of the peers, so many records each. */
export async function againstPeers(
  servers: Servers,
  flatKey: string,
  records: number,
  folder: string,
  rounds: number,
): Promise<{ lines: Line[]; versions: string[] }> {
  const { peers, skipped } = install()
  const lines: Line[] = skipped.map((message) => ({ measure: message, result: 'skipped' }))
  const versions: string[] = []
  for (const [place, peer] of peers.entries()) {
    const port = 18_300 + place
    const file = join(folder, `${peer.name}.sqlite`)
    writeTables(file, [members, events], records, peer.isIndexed)
    const process = await peer.start(port, file)
    try {
      await untilReady(peer.ask(port, { table: members, record: 0 }))
      for (const question of questions(records)) {
        const key = question.wanted.table === events ? flatKey : servers.key
        const asked = { peer, port, pid: Number(process.pid) }
        lines.push(...(await compared({ ...servers, key }, asked, question, rounds)))
      }
      versions.push(`${peer.npm} ${peer.version}`)
    } finally {
      process.kill()
    }
  }
  return { lines, versions: [...new Set(versions)] }
}

/** Ours to the peer's, and the floor's with our bytes to the peer's: no Worker on D1 could do more. */
async function compared(
  servers: Servers,
  { peer, port, pid }: { peer: Peer; port: number; pid: number },
  { name, wanted, least }: Question,
  rounds: number,
): Promise<Line[]> {
  const path = pathOf(wanted)
  const ours = askOurs(servers, path)
  const theirs = { ...peer.ask(port, wanted), pid }
  const { text } = await answer(ours)
  const given = peer.rows((await answer(theirs)).text)
  const measure = `${name} / ${peer.name}`
  if (together(given, wanted) !== together(ourRows(text), wanted)) {
    return [{ measure, result: 'no ratio: the answers differ', met: false }]
  }
  const list = 'record' in wanted ? undefined : wanted.table.name
  const floor = await onFloor(servers.floor, path, text, list)
  const loads = await alternate({ ours, theirs, floor }, rounds, 400)
  return [
    rateRatio(measure, loads.ours, loads.theirs, least?.[peer.name]),
    rateRatio(`${name}: floor / ${peer.name}`, loads.floor, loads.theirs),
  ]
}

const together = (rows: readonly Record<string, unknown>[], { table }: Wanted) =>
  rows.map((row) => comparable(row, table)).join('\n\n')

function pathOf(wanted: Wanted): string {
  const { name, filtered } = wanted.table
  if ('record' in wanted) return `/${name}/${memberId(wanted.record)}`
  const filter = wanted.value ? `&${filtered[0]}=${encodeURIComponent(wanted.value)}` : ''
  return `/${name}?limit=100&offset=${wanted.offset}${filter}`
}

/** The records of our answer as rows of a peer: a member's fields are its columns. */
function ourRows(text: string): Record<string, unknown>[] {
  const { events, members, member } = JSON.parse(text)
  if (events) return events
  const shown: { memberId: string; fields: { key: string; value: unknown }[] }[] = members ?? [
    member,
  ]
  return shown.map(({ memberId, fields }) => ({
    memberId,
    ...Object.fromEntries(fields.map(({ key, value }) => [column(key), value])),
  }))
}
