import { type Ask, alternate, answer } from './load.ts'
import { type Line, ratio } from './report.ts'

/** Where our Worker and the floor answer, the key for ours, and the database both read. */
export type Servers = { url: string; floor: string; key: string; db: D1Database }

const pages = [
  { name: 'events list of 100', path: '/events?limit=100', list: 'events', least: 0.9 },
  { name: 'events list of 250', path: '/events?limit=250', list: 'events' },
  { name: 'members list of 100', path: '/members?limit=100', list: 'members', least: 1 },
  {
    name: 'bookings list of 100, with profiles',
    path: '/bookings?limit=100',
    list: 'bookings',
  },
  { name: 'single form', path: '/forms/form-7', least: 0.9 },
  { name: 'single member', path: '/members/member-7', least: 0.9 },
]

/** Our routes against a Worker that does nothing but run one statement and send the same bytes. */
export async function againstFloor(servers: Servers, rounds: number): Promise<Line[]> {
  const lines: Line[] = []
  for (const { name, path, list, least } of pages) {
    const ours = { url: servers.url + path, headers: { 'x-api-key': servers.key } }
    const { text } = await answer(ours)
    const floor = await onFloor(servers, path, text, list)
    const rates = await alternate({ ours, floor }, rounds, 400)
    lines.push(ratio(`${name} / floor`, rates.ours.rate, rates.floor.rate, least), {
      measure: `${name}: 99th percentile, ours and floor`,
      result: `${rates.ours.p99.toFixed(1)} ms, ${rates.floor.p99.toFixed(1)} ms`,
    })
  }
  return lines
}

/** Lets the floor answer what we answer to a path, in one piece or a piece for each record of a `list`; gives how to ask it. */
export async function onFloor(
  servers: Servers,
  path: string,
  text: string,
  list: string | undefined,
): Promise<Ask> {
  const floor = { url: `${servers.floor}/?page=${encodeURIComponent(path)}` }
  await keep(servers.db, path, list ? slices(text, list) : [text])
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
      'INSERT OR REPLACE INTO floor (page, place, text) SELECT ?, key, value FROM json_each(?)',
    )
    .bind(page, JSON.stringify(pieces))
    .run()
}
