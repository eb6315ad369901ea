import type { Databases } from '../src/platform/bindings.ts'
import { alternate, answer, type Served } from './load.ts'
import { cpuRatio, type Line } from './report.ts'

/** Where a Worker answers, its process, and its database. */
export type Server = { url: string; pid: number; bindings: Databases }

/** Our Worker, with the key of the organisation it is asked for, and the floor. */
export type Servers = Server & { key: string; floor: Server }

const pages = [
  { name: 'events list of 100', path: '/events?limit=100', list: 'events', most: 1.15 },
  { name: 'events list of 250', path: '/events?limit=250', list: 'events', most: 1.15 },
  { name: 'members list of 100', path: '/members?limit=100', list: 'members', most: 1 },
  {
    name: 'bookings list of 100, with profiles',
    path: '/bookings?limit=100',
    list: 'bookings',
    most: 1.15,
  },
  { name: 'single form', path: '/forms/form-7', most: 1.15 },
  { name: 'single member', path: '/members/member-7', most: 1.15 },
]

/** Our routes against a Worker that does nothing but run one statement and send the same bytes. */
export async function againstFloor(servers: Servers, rounds: number): Promise<Line[]> {
  const lines: Line[] = []
  for (const { name, path, list, most } of pages) {
    const ours = askOurs(servers, path)
    const { text } = await answer(ours)
    const floor = await onFloor(servers.floor, path, text, list)
    const both = await alternate({ ours, floor }, rounds, 400)
    lines.push(cpuRatio(`${name} / floor`, both.ours, both.floor, most))
  }
  return lines
}

/** Our answer to a path, with the key. */
export const askOurs = ({ url, pid, key }: Servers, path: string): Served => ({
  url: url + path,
  pid,
  headers: { 'x-api-key': key },
})

/** Lets the floor answer what we answer to a path, in one piece or a piece for each record of a `list`; gives how to ask it. */
export async function onFloor(
  { url, pid, bindings }: Server,
  path: string,
  text: string,
  list: string | undefined,
): Promise<Served> {
  const floor = { url: `${url}/?page=${encodeURIComponent(path)}`, pid }
  await keep(bindings.DB, path, list ? slices(text, list) : [text])
  if ((await answer(floor)).text !== text) throw new Error(`The floor answers ${path} otherwise.`)
  return floor
}

/** The text of a list, cut into one piece for each of its records. */
function slices(text: string, list: string): string[] {
  const records: object[] = JSON.parse(text)[list]
  const items = records.map((record) => JSON.stringify(record))
  const [head = '', tail = ''] = text.split(items.join(','))
  return items.map(
    (item, place) => (place === 0 ? head : ',') + item + (place === items.length - 1 ? tail : ''),
  )
}

async function keep(db: D1Database, page: string, pieces: readonly string[]): Promise<void> {
  await db
    .prepare(
      'CREATE TABLE IF NOT EXISTS floor (page TEXT, place INTEGER, text TEXT, PRIMARY KEY (page, place)) WITHOUT ROWID',
    )
    .run()
  await db
    .prepare(
      'INSERT OR REPLACE INTO floor (page, place, text) SELECT ?, key, value FROM json_each(?)',
    )
    .bind(page, JSON.stringify(pieces))
    .run()
}
