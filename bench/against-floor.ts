import type { Databases } from '../src/platform/bindings.ts'
import { fetchText, type MeasuredRequest, measureInTurn } from './load.ts'
import { cpuRatio, type Line } from './report.ts'

/** A Worker's address, process and databases. */
export type Server = { url: string; pid: number; bindings: Databases }

/** Our Worker, with the key of the measured organisation, and the floor. */
export type Servers = Server & { key: string; floor: Server }

const pages = [
  { name: 'events list of 100', path: '/events?limit=100', list: 'events', max: 1.15 },
  { name: 'events list of 250', path: '/events?limit=250', list: 'events', max: 1.15 },
  { name: 'members list of 100', path: '/members?limit=100', list: 'members', max: 1 },
  {
    name: 'bookings list of 100, with profiles',
    path: '/bookings?limit=100',
    list: 'bookings',
    max: 1.15,
  },
  { name: 'single form', path: '/forms/form-7', max: 1.15 },
  { name: 'single member', path: '/members/member-7', max: 1.15 },
]

/** Compares our routes with a Worker that only runs one statement and sends the same bytes. */
export async function compareWithFloor(servers: Servers, rounds: number): Promise<Line[]> {
  const lines: Line[] = []
  for (const { name, path, list, max } of pages) {
    const ours = ourRequest(servers, path)
    const { text } = await fetchText(ours)
    const floor = await floorRequest(servers.floor, path, text, list)
    const both = await measureInTurn({ ours, floor }, rounds, 400)
    lines.push(cpuRatio(`${name} / floor`, both.ours, both.floor, max))
  }
  return lines
}

/** Returns the request for a path, with the key. */
export const ourRequest = ({ url, pid, key }: Servers, path: string): MeasuredRequest => ({
  url: url + path,
  pid,
  headers: { 'x-api-key': key },
})

/** Stores our response to a path in the floor's table, one row for each record of a `list`; returns the request for it. */
export async function floorRequest(
  { url, pid, bindings }: Server,
  path: string,
  text: string,
  list: string | undefined,
): Promise<MeasuredRequest> {
  const floor = { url: `${url}/?page=${encodeURIComponent(path)}`, pid }
  await storePieces(bindings.DB, path, list ? splitRecords(text, list) : [text])
  if ((await fetchText(floor)).text !== text)
    throw new Error(`The floor's response to ${path} differs.`)
  return floor
}

/** Splits the text of a list into one piece per record. */
function splitRecords(text: string, list: string): string[] {
  const records: object[] = JSON.parse(text)[list]
  const items = records.map((record) => JSON.stringify(record))
  const [head = '', tail = ''] = text.split(items.join(','))
  return items.map(
    (item, index) => (index === 0 ? head : ',') + item + (index === items.length - 1 ? tail : ''),
  )
}

async function storePieces(db: D1Database, page: string, pieces: readonly string[]): Promise<void> {
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
