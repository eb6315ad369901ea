import type { Context } from 'hono'
import { londonDay } from '../../../public/ui/dates.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import type { CollectionInfo } from '../collection-info.ts'
import { loadRecords } from '../read.ts'
import { timesOn } from './event-time.tsx'
import { buildPatch, type Change, type FormValues } from './question.ts'

/** The maximum number of records in one write. */
const maxRecords = 250

/** Applies the changes of a series to the dates that are still to come, and returns their number. Each date keeps its day. */
export async function changeLaterDates(
  c: Context<DashboardEnv>,
  events: CollectionInfo,
  seriesId: string,
  changes: readonly Change[],
  submitted: FormValues,
): Promise<number> {
  const { records: dates } = await loadRecords(
    c,
    events,
    new URLSearchParams({
      parentEventId: seriesId,
      $filter: `start ge ${new Date().toISOString()}`,
      limit: String(maxRecords),
    }),
  )
  const isTime = ({ path: [name = ''] }: Change) => ['start', 'end'].includes(name)
  const hasNewTimes = changes.some(isTime)
  const patches = dates.map(({ eventId, start }) => ({
    ...buildPatch(changes.filter((change) => !isTime(change))),
    ...(hasNewTimes && timesOn(londonDay(String(start)), submitted)),
    eventId,
  }))
  if (patches.length === 0) return 0
  const records = await c.var.openRecords()
  await records.upsertBatch(events.resource, patches)
  return patches.length
}
