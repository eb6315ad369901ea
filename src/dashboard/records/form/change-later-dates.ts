import type { Context } from 'hono'
import { londonDay } from '../../../model/timestamp.ts'
import type { CollectionInfo } from '../../collection/collection-info.ts'
import { loadRecords } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import type { FieldValues } from '../../ui/form-values.ts'
import { timesOn } from './event-time.tsx'
import { buildPatch, type PropertyChange } from './question.ts'

/** The maximum number of records in one write. */
const maxRecords = 250

/** The properties that each date of a series has for itself. */
const ownProperties = ['start', 'end', 'recurrence', 'parentEventId', 'attendees', 'concluded']

/** Applies the changes of a series to the dates that are still to come, and returns their number. Each keeps its own day. */
export async function changeLaterDates(
  c: Context<DashboardEnv>,
  events: CollectionInfo,
  seriesId: string,
  changes: readonly PropertyChange[],
  submitted: FieldValues,
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
  const hasNewTimes = changes.some(({ path: [name = ''] }) => ['start', 'end'].includes(name))
  const sharedChanges = changes.filter(({ path: [name = ''] }) => !ownProperties.includes(name))
  const patches = dates.map(({ eventId, start }) => ({
    ...buildPatch(sharedChanges),
    ...(hasNewTimes && timesOn(londonDay(String(start)), submitted)),
    eventId,
  }))
  if (patches.length === 0) return 0
  const records = await c.var.openRecords()
  await records.upsertBatch(events.resource, patches)
  return patches.length
}
