import { join } from 'node:path'
import { packNextOrganisation } from '../src/store/summary/pack-columns.ts'
import { ourRequest, withoutMemory } from './against-floor.ts'
import { startInOwnProcess } from './cpu.ts'
import { addVariedBookings, fillDatabase, otherRecords } from './fixture.ts'
import { fetchText, measureInTurn, parseRowsRead } from './load.ts'
import { atMost, cpuRatio, type Line } from './report.ts'
import { bundle, createEmptyDatabase, start } from './workers.ts'

const [members, bookings] = [10_000, 200_000]

/** The greatest number of rows that a summary may read. */
const maxRows = 200_000

/** Each round answers a few requests, because a single one is long. */
const rounds = 3

const summaries = {
  'by status': '$by=orgStatus&$measures=count',
  'by month and town of the member, with different people':
    '$by=month(date),member.Town&$measures=count,people',
}

/** Compares summaries of 200,000 bookings with a file of the same bookings, from which a client could count them itself. */
export async function measureSummaries(parent: string): Promise<Line[]> {
  const folder = join(parent, 'summaries')
  const file = await createEmptyDatabase(folder)
  const [organisation] = await fillDatabase(file, [members])
  if (!organisation) throw new Error('The database has no organisation.')
  addVariedBookings(file, organisation, bookings - otherRecords)
  const script = bundle(folder, 'bench/ours.ts')
  const server = await startInOwnProcess(() => start(folder, script))
  await packColumns(server.bindings.DB)
  const request = (path: string) =>
    withoutMemory(ourRequest({ ...server, key: organisation.key }, path))
  const lines: Line[] = []
  for (const [name, query] of Object.entries(summaries)) {
    const summary = request(`/bookings/$summary?${query}`)
    const rowsRead = parseRowsRead(await fetchText(summary))
    lines.push(atMost(`summary of 200,000 bookings ${name}: rows read`, rowsRead, maxRows))
    const table = request('/bookings?$format=csv')
    const loads = await measureInTurn({ summary, table }, rounds, 1)
    lines.push(
      cpuRatio(`summary of 200,000 bookings ${name} / their CSV`, loads.summary, loads.table),
    )
  }
  await server.runtime.dispose()
  return lines
}

/** Packs the columns as the schedule does, until nothing is left. */
async function packColumns(d1: D1Database): Promise<void> {
  await d1.prepare('UPDATE organisations SET records = version').run()
  const isBehind = () =>
    d1
      .prepare(`SELECT 1 FROM organisations LEFT JOIN packed_organisations ON organisation_id = id
        WHERE organisations.version > coalesce(packed_organisations.version, -1)`)
      .first()
  while (await isBehind()) await packNextOrganisation(d1)
}
