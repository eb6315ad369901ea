import { isErrorOf } from '../../model/api-error.ts'
import { formatShortDay } from '../../model/dates.ts'
import { tenYears } from '../../model/summary/buckets.ts'
import { measureOf, plainGroup, plainMeasure } from '../../model/summary/parse-summary.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { findWhoCame } from '../../sign-up/who-came.ts'
import { openBudget } from '../../store/query/query-reader.ts'
import { findSeries } from '../../store/sign-up/series.ts'
import { countOf, readSummary } from '../../store/summary/read-summary.ts'
import { loadTitlesOf } from '../records/list/linked-titles.ts'
import { can } from '../session/permissions.ts'
import { registerPath } from '../ui/paths.ts'
import type { Check, Finding, Inspected } from './check.ts'

/** The maximum number of registers that the page names. */
const maxRegisters = 5

/** Finds the past bookings that nobody has marked, by register, the latest first. A user needs `take-registers` to open it. */
export const findNotMarked: Check['find'] = async (inspected) => {
  const { name, label } = inspected.collection
  if (name !== 'bookings') return []
  try {
    return await describeRegisters(inspected, await readNotMarked(inspected))
  } catch (error) {
    if (isErrorOf(error, 'BAD_REQUEST')) return [{ label, count: undefined, href: undefined }]
    throw error
  }
}

/** The bookings on an event's register that are not marked: their number, and their last day. */
type NotMarked = { eventId: string; count: number; day: string }

/** Reads the registers with bookings that are not marked. Bookings without an event are on none. Throws 400 for too many. */
async function readNotMarked({ c, collection, today }: Inspected): Promise<NotMarked[]> {
  const { store } = c.var
  const budget = openBudget(store, 'There are too many bookings.')
  const { notMarked } = await findWhoCame(store, { today, budget })
  if (!notMarked) return []
  const lastDay = measureOf('max', 'date')
  const { groups } = await readSummary(
    store,
    collection.name,
    {
      filters: [],
      condition: notMarked,
      // A booking for a date of a series names both, and is on the register of the date.
      by: [plainGroup('childEventId'), plainGroup('eventId')],
      groupsMissing: true,
      measures: [plainMeasure('count'), lastDay],
      ages: { today, bands: tenYears },
      protectsPeople: false,
      budget,
    },
    collection.list.types,
  )
  const byEvent = Map.groupBy(groups, ({ by }) => by.find((id) => id !== null) ?? '')
  byEvent.delete('')
  return [...byEvent]
    .map(([eventId, ofEvent]) => ({
      eventId: String(eventId),
      count: sum(ofEvent.map(({ figures }) => countOf(figures))),
      day:
        ofEvent
          .map(({ figures }) => String(figures.get(lastDay.text)?.value))
          .toSorted()
          .at(-1) ?? '',
    }))
    .toSorted((one, other) => other.day.localeCompare(one.day))
}

/** The findings of the latest registers, and one of all others together. */
async function describeRegisters(
  { c }: Inspected,
  registers: readonly NotMarked[],
): Promise<Finding[]> {
  const latest = registers.slice(0, maxRegisters)
  const others = registers.slice(maxRegisters)
  const ids = latest.map(({ eventId }) => eventId)
  const [titles, series] = await Promise.all([
    loadTitlesOf(c, 'events', ids),
    findSeries(c.var.store, ids),
  ])
  const hasRegister = (eventId: string) => titles.has(eventId) && !series.has(eventId)
  return [
    ...latest.map(({ eventId, count, day }) => ({
      label: `${titles.get(eventId) ?? 'Unknown event'}, ${formatShortDay(day)}`,
      count,
      href: can(c, 'take-registers') && hasRegister(eventId) ? registerPath(c, eventId) : undefined,
    })),
    {
      label: formatCount(others.length, 'earlier date'),
      count: sum(others.map(({ count }) => count)),
      href: undefined,
    },
  ]
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
