import type { Context } from 'hono'
import { isSameJson, valueAt } from '../../../model/json.ts'
import { londonDay, toLondon } from '../../../model/timestamp.ts'
import { readDates } from '../../../store/sign-up/series.ts'
import type { Store } from '../../../store/store.ts'
import type { CollectionInfo, ShownValues } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import type { FieldValues } from '../../ui/form-values.ts'
import { timesOn } from './event-time.tsx'
import { buildPatch, type PropertyChange } from './question.ts'

/*
 * Each date of a series is an event with all values, so that lists, filters, reports and other systems need no rule
 * for series. A date follows its series in a detail while it has the same value, or none: a change of the series
 * then changes the date too. A date with another value keeps it.
 */

/** Properties that say one thing together: a date has them for itself together, or not at all. */
const details = [
  ['start', 'end'],
  ['bookingDetails.free', 'bookingDetails.price'],
  ['venue.venueId', 'venue.name', 'venue.address', 'venue.postcode'],
  ['bookable', 'bookingDetails.bookable', 'bookingDetails.privateEvent'],
]

/** The properties that a series never shares with its dates. */
export const ownProperties = ['recurrence', 'parentEventId', 'attendees', 'concluded']

/** The names of the properties that say the same thing as a property. */
const detailOf = (name: string) => details.find((names) => names.includes(name)) ?? [name]

/** Whether a date has the same value as its series in a detail, or none. */
export function followsSeries(date: ShownValues, series: ShownValues, name: string): boolean {
  if (detailOf(name).includes('start')) return hasSameTimes(date, series)
  const names = detailOf(name)
  const read = (values: ShownValues) => names.map((one) => valueAt(values, one.split('.')))
  const own = read(date)
  return (
    names.every((one, index) => isNone(one, own[index])) ||
    isSameJson(own.map(toNull), read(series).map(toNull))
  )
}

const isNone = (name: string, value: unknown) =>
  name === 'bookingDetails.free'
    ? value !== true
    : toNull(value) === null || (Array.isArray(value) && value.length === 0)

const toNull = (value: unknown) => (value === undefined || value === '' ? null : value)

/** Whether two events start and end at the same time of their days. */
const hasSameTimes = (one: ShownValues, other: ShownValues) =>
  ['start', 'end'].every((name) => timeOf(one[name]) === timeOf(other[name]))

const timeOf = (timestamp: unknown) => toLondon(String(timestamp ?? '')).slice(11)

type SeriesChange = {
  /** The values of the series before the change. */
  series: ShownValues
  changes: readonly PropertyChange[]
  /** The form with the new times. */
  submitted: FieldValues
}

/** Plans the patches of dates for a change of their series. `kept` are the dates that keep another value. */
export function planDates(
  dates: readonly ShownValues[],
  { series, changes, submitted }: SeriesChange,
): { patches: ShownValues[]; kept: ShownValues[] } {
  const shared = changes.filter(({ path: [name = ''] }) => !ownProperties.includes(name))
  const planned = dates.map((date) => {
    const followed = shared.filter(({ path }) => followsSeries(date, series, path.join('.')))
    const isMoved = followed.some(({ path: [name = ''] }) => detailOf(name).includes('start'))
    const others = followed.filter(({ path: [name = ''] }) => !detailOf(name).includes('start'))
    const patch = {
      ...buildPatch(others),
      ...(isMoved && timesOn(londonDay(String(date.start)), submitted)),
      eventId: date.eventId,
    }
    return { date, patch, hasOwn: followed.length < shared.length }
  })
  return {
    patches: planned.map(({ patch }) => patch).filter((patch) => Object.keys(patch).length > 1),
    kept: planned.filter(({ hasOwn }) => hasOwn).map(({ date }) => date),
  }
}

/** The maximum number of dates in one write, with their series. */
export const maxChangedDates = 249

/** Reads the dates of a series that start at a time or later. */
export async function readDatesFrom(
  store: Store,
  seriesId: string,
  time: string,
): Promise<ShownValues[]> {
  const { dates } = await readDates(store, seriesId)
  return dates
    .map(({ document }): ShownValues => JSON.parse(document))
    .filter(({ start }) => String(start) >= time)
    .slice(0, maxChangedDates)
}

/** Applies a change of a series to the dates that are still to come, and returns the number of changed dates. */
export async function changeLaterDates(
  c: Context<DashboardEnv>,
  events: CollectionInfo,
  seriesId: string,
  change: SeriesChange,
): Promise<number> {
  const dates = await readDatesFrom(c.var.store, seriesId, new Date().toISOString())
  const { patches } = planDates(dates, change)
  if (patches.length === 0) return 0
  const records = await c.var.openRecords()
  await records.upsertBatch(events.resource, patches)
  return patches.length
}
