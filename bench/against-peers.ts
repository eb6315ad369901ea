import { join } from 'node:path'
import { onFloor, type Servers } from './against-floor.ts'
import { type Ask, alternate, answer } from './load.ts'
import { fields, memberId } from './members.ts'
import {
  comparable,
  install,
  type Peer,
  plain,
  untilReady,
  type Wanted,
  writeMembers,
} from './peers.ts'
import { type Line, ratio } from './report.ts'

type Question = { name: string; wanted: Wanted; least?: Partial<Record<Peer['name'], number>> }

const soul = (least: number) => ({ 'soul-cli': least, 'soul-cli without indexes': least })

const questions = (members: number): Question[] => [
  { name: 'list of 100', wanted: { offset: 0 }, least: { directus: 8, ...soul(3.5) } },
  {
    name: `list of 100 at ${members - 1000}`,
    wanted: { offset: members - 1000 },
    least: { directus: 12, ...soul(6) },
  },
  { name: 'one filter of 0.1 %', wanted: { offset: 0, cohort: 'cohort 7' } },
  { name: 'single member', wanted: { member: 7 } },
]

/** Our pages of members against the same of the peers, who also tell a total, as ours of members need not. */
export async function againstPeers(
  servers: Servers,
  members: number,
  folder: string,
  rounds: number,
): Promise<{ lines: Line[]; versions: string[] }> {
  const { peers, skipped } = install()
  const lines: Line[] = skipped.map((reason) => ({ measure: reason, result: 'skipped' }))
  const versions: string[] = []
  for (const [place, peer] of peers.entries()) {
    const port = 18_300 + place
    const file = join(folder, `${peer.name}.sqlite`)
    writeMembers(file, members, peer.isIndexed)
    const process = await peer.start(port, file)
    try {
      await untilReady(peer.ask(port, { member: 0 }))
      for (const question of questions(members)) {
        lines.push(...(await compared(servers, peer, port, question, rounds)))
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
  peer: Peer,
  port: number,
  { name, wanted, least }: Question,
  rounds: number,
): Promise<Line[]> {
  const path = pathOf(wanted)
  const ours = { url: servers.url + path, headers: { 'x-api-key': servers.key } }
  const theirs: Ask = peer.ask(port, wanted)
  const { text } = await answer(ours)
  const given = peer
    .rows((await answer(theirs)).text)
    .map(comparable)
    .join('\n\n')
  const measure = `${name} / ${peer.name}`
  if (given !== ourRows(text).join('\n\n')) {
    return [{ measure, result: 'no ratio: the answers differ', met: false }]
  }
  const floor = await onFloor(servers, path, text, 'member' in wanted ? undefined : 'members')
  const rates = await alternate({ ours, theirs, floor }, rounds, 400)
  return [
    ratio(measure, rates.ours.rate, rates.theirs.rate, least?.[peer.name]),
    {
      measure: `${name}: floor / ${peer.name}`,
      result: (rates.floor.rate / rates.theirs.rate).toFixed(2),
    },
  ]
}

function pathOf(wanted: Wanted): string {
  if ('member' in wanted) return `/members/${memberId(wanted.member)}`
  const filter = wanted.cohort ? `&Cohort=${encodeURIComponent(wanted.cohort)}` : ''
  return `/members?limit=100&offset=${wanted.offset}${filter}`
}

function ourRows(text: string): string[] {
  const { members, member } = JSON.parse(text)
  const shown: { memberId: string; fields: { key: string; value: unknown }[] }[] = members ?? [
    member,
  ]
  return shown.map(({ memberId, fields: given }) => {
    const values = new Map(given.map(({ key, value }) => [key, value]))
    return [memberId, ...fields.map(({ id }) => values.get(id))].map(plain).join('\n')
  })
}
