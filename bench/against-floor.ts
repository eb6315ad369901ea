import type { Databases } from '../src/platform/bindings.ts'
import { fetchText, type Load, type MeasuredRequest, measureInTurn, parseRowsRead } from './load.ts'
import { atMost, cpuRatio, formatMs, type Line } from './report.ts'
import { skipMemory } from './skip-memory.ts'

/** A Worker's address, process and databases. */
export type Server = { url: string; pid: number; bindings: Databases }

/** Our Worker, with the key of the measured organisation, and the floor. */
export type Servers = Server & { key: string; floor: Server }

/** The lists, with the maximum ratio of a first request. */
const lists = [
  { name: 'events', maxFirst: 1.28, plain: '100 events' },
  { name: 'members', maxFirst: 1.1, plain: '100 members' },
  { name: 'bookings', maxFirst: 1.4, plain: '100 bookings with the profiles of their members' },
] as const

/** The numbers of records, with the maximum ratios of a repeated request and of an answer without a body. */
const sizes = [
  { limit: 100, maxRepeated: 0.85, maxUnchanged: 0.75 },
  { limit: 250, maxRepeated: 0.55, maxUnchanged: 0.55 },
]

const maxSingle = 1.25

const singles = [
  { name: 'single form', path: '/forms/form-7', plain: undefined },
  { name: 'single member', path: '/members/member-7', plain: 'One member' },
]

const maxRowsRead = 5

/** Compares our routes with a Worker that only runs one statement and sends the same bytes. */
export async function compareWithFloor(servers: Servers, rounds: number): Promise<Line[]> {
  const lines: Line[] = []
  for (const list of lists) {
    for (const size of sizes) lines.push(...(await compareList(servers, rounds, list, size)))
  }
  for (const { name, path, plain } of singles) {
    const ours = ourRequest(servers, path)
    const { text } = await fetchText(ours)
    const floor = await floorRequest(servers.floor, path, text, undefined)
    const loads = await measureInTurn({ ours: withoutMemory(ours), floor }, rounds, 400)
    lines.push({
      ...cpuRatio(`${name} / floor`, loads.ours, loads.floor, maxSingle),
      ...(plain && { plain: { request: plain, answer: besideFloor(loads.ours, loads.floor) } }),
    })
  }
  return lines
}

async function compareList(
  servers: Servers,
  rounds: number,
  { name, maxFirst, plain }: (typeof lists)[number],
  { limit, maxRepeated, maxUnchanged }: (typeof sizes)[number],
): Promise<Line[]> {
  const path = `/${name}?limit=${limit}`
  const ours = ourRequest(servers, path)
  const { text, etag } = await fetchText(ours)
  const unchanged = { ...ours, headers: { ...ours.headers, 'If-None-Match': etag }, status: 304 }
  const rowsRead = [await fetchText(ours), await fetchText(unchanged)].map(parseRowsRead)
  const loads = await measureInTurn(
    {
      first: withoutMemory(ours),
      repeated: ours,
      unchanged,
      floor: await floorRequest(servers.floor, path, text, name),
    },
    rounds,
    400,
  )
  const { first, repeated, floor } = loads
  const measure = `${name} list of ${limit}`
  const lines = [
    cpuRatio(`${measure}, first request / floor`, first, floor, maxFirst),
    cpuRatio(`${measure}, repeated / floor`, repeated, floor, maxRepeated),
    cpuRatio(`${measure}, 304 / floor`, loads.unchanged, floor, maxUnchanged),
    atMost(`${measure}, repeated and 304: rows read`, Math.max(...rowsRead), maxRowsRead),
  ]
  if (limit !== 100) return lines
  const answers = [
    { request: `A page of ${plain}, first request`, answer: besideFloor(first, floor) },
    { request: 'The same page again, nothing changed', answer: formatMs(repeated) },
    { request: 'The same page, and the client still has it', answer: formatMs(loads.unchanged) },
  ]
  const isRepeatedShown = name === 'events'
  return lines.map((line, index) => {
    const answer = index === 0 || isRepeatedShown ? answers[index] : undefined
    return { ...line, ...(answer && { plain: answer }) }
  })
}

const besideFloor = (ours: Load, floor: Load) =>
  `${formatMs(ours)}; the least possible is ${formatMs(floor)}`

/** Returns the request for a path, with the key. */
export const ourRequest = (
  { url, pid, key }: Server & { key: string },
  path: string,
): MeasuredRequest => ({
  url: url + path,
  pid,
  headers: { 'x-api-key': key },
})

/** Returns a request that the page memory never answers. */
export const withoutMemory = (request: MeasuredRequest): MeasuredRequest => ({
  ...request,
  headers: { ...request.headers, [skipMemory]: '1' },
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
