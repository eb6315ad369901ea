import type { Context } from 'hono'
import { formatShortDay } from '../../model/dates.ts'
import { measureOf, plainGroup, plainMeasure } from '../../model/summary/parse-summary.ts'
import { findSeries } from '../../store/sign-up/series.ts'
import { countOf, type SummaryFigures } from '../../store/summary/measure-groups.ts'
import { loadTitlesOf } from '../records/list/linked-titles.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { registerPath } from '../ui/paths.ts'
import type { Measured } from './report-groups.ts'

/** The bookings on an event's register that are not marked: their number, and their last day. */
export type Register = { eventId: string; count: number; day: string }

const lastDay = measureOf('max', 'date')

/** What `listRegisters` reads of bookings. One for a date of a series names both events, and is on the register of the date. */
export const ofRegisters: Measured = {
  by: [plainGroup('childEventId'), plainGroup('eventId')],
  measures: [plainMeasure('count'), lastDay],
}

/** The registers with some bookings, the latest first. Bookings without an event are on none. */
export function listRegisters({ groups }: SummaryFigures): Register[] {
  const byEvent = Map.groupBy(groups, ({ by }) => by.find((id) => id !== null) ?? '')
  byEvent.delete('')
  return [...byEvent]
    .map(([eventId, ofEvent]) => ({
      eventId: String(eventId),
      count: ofEvent.reduce((sum, { figures }) => sum + countOf(figures), 0),
      day:
        ofEvent
          .map(({ figures }) => String(figures.get(lastDay.text)?.value))
          .toSorted()
          .at(-1) ?? '',
    }))
    .toSorted((one, other) => other.day.localeCompare(one.day))
}

/** Names registers, each with the path of its page if the user may open it. */
export async function nameRegisters(c: Context<DashboardEnv>, registers: readonly Register[]) {
  const ids = registers.map(({ eventId }) => eventId)
  const [titles, series] = await Promise.all([
    loadTitlesOf(c, 'events', ids),
    findSeries(c.var.store, ids),
  ])
  return registers.map(({ eventId, count, day }) => ({
    label: `${titles.get(eventId) ?? 'Unknown event'}, ${formatShortDay(day)}`,
    count,
    href:
      can(c, 'take-registers') && titles.has(eventId) && !series.has(eventId)
        ? registerPath(c, eventId)
        : undefined,
  }))
}
