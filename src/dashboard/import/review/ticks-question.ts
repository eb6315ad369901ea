import {
  readSheetSeries,
  type SheetSeries,
  takesNewDates,
} from '../../../import/candidates/sheet-events.ts'
import { createDestination } from '../../../import/destination/destination.ts'
import type { Inspection } from '../../../import/mapping/inspect-file.ts'
import { chosenEventId, emptyMarks, type Mapping } from '../../../import/mapping/mapping.ts'
import {
  chooseDayReading,
  type DayReading,
  listDayReadings,
} from '../../../import/parse/heading-days.ts'
import { londonDay } from '../../../model/timestamp.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { RunningImport } from '../../../store/imports/running-import.ts'
import { readSortedRecords } from '../../../store/read/sorted.ts'
import { type Choice, findChoices, loadChoices } from '../../collection/choices.ts'
import { findName, type PickerSearch, searchName } from '../../collection/picker.tsx'
import type { ImportForm } from '../steps/import-form.ts'
import type { OpenedFile } from '../steps/open-file.ts'
import { eventField } from './event-question.ts'

/** The questions about a sheet of ticks, and their answers so far. */
export type TicksQuestion = {
  /** The mapping with all answers; undefined while one is missing. */
  mapping: Mapping | undefined
  chosen: readonly Choice[]
  search: PickerSearch | undefined
  /** The error of the choice of a series. */
  error: string | undefined
  /** The days of the columns; undefined before a series is chosen, or if they cannot be read. */
  days: { reading: DayReading; missing: readonly string[]; canCreate: boolean } | undefined
  /** Whether day and month, or the year, can be read in several ways. */
  hasOrders: boolean
  hasYears: boolean
  /** The number of empty cells. */
  empty: number
}

/** The names of the form fields about a sheet of ticks. */
export const ticksFields = {
  order: 'ticks.order',
  year: 'ticks.year',
  empty: 'ticks.empty',
  dates: 'ticks.dates',
} as const

/** The choices for days without a date of the series. */
export const missingDates = { create: 'create', leaveOut: 'leave out' } as const

/** Applies the choices of the form to the settings of a sheet of ticks. */
export function applyTicks(
  form: ImportForm,
  ticks: NonNullable<Mapping['ticks']>,
): Mapping['ticks'] {
  const choose = <Value>(name: string, before: Value, parse: (text: string) => Value): Value =>
    form.has(name) ? parse(form.get(name)) : before
  const orders = ['day-first', 'month-first'] as const
  return {
    order: choose(ticksFields.order, ticks.order, (text) => orders.find((order) => order === text)),
    year: choose(ticksFields.year, ticks.year, (text) =>
      /^(?:19|20)\d\d$/.test(text) ? Number(text) : undefined,
    ),
    empty: choose(ticksFields.empty, ticks.empty, (text) =>
      emptyMarks.find((mark) => mark === text),
    ),
    createsDates: choose(ticksFields.dates, ticks.createsDates, (text) =>
      text === '' ? undefined : text === missingDates.create,
    ),
    matchesNames: form.has('sheet.choices')
      ? form.getAll('sheet.choices').includes('names')
      : ticks.matchesNames,
  }
}

/** Reads the questions about a sheet of ticks; undefined for any other file. */
export async function readTicksQuestion(
  opened: OpenedFile,
  mapping: Mapping,
  { tableFacts }: Inspection,
): Promise<TicksQuestion | undefined> {
  const { c, table, form } = opened
  const { ticks: settings } = mapping
  if (!table.ticks || !settings) return undefined
  const headings = table.ticks.days.map(({ day }) => day)
  const eventId = chosenEventId(mapping)
  const series = eventId === '' ? undefined : await loadSeries(opened, mapping, eventId)
  const known = new Set(series?.dates.map(({ day }) => day))
  const today = londonDay(Date.now())
  const all = listDayReadings(headings, {}, today)
  const choice = chooseDayReading(listDayReadings(headings, settings, today), known)
  const reading = choice?.reading
  const filled = tableFacts.columns.get(table.ticks.markHeading)?.filled ?? 0
  const empty = tableFacts.rows * headings.length - filled
  const isSearching = form.get(findName) === eventField
  const question = {
    chosen: series ? await loadChoices(c, 'events', [series.id]) : [],
    search: isSearching
      ? await searchSeries(opened)
      : series
        ? undefined
        : await proposeSeries(c, all),
    error: !series && form.has('id') && !isSearching ? 'Choose a series.' : undefined,
    hasOrders: new Set(all.map(({ order }) => order)).size > 1,
    hasYears: all.some(({ year }) => year !== undefined),
    empty,
  }
  if (!series || !reading) {
    const isUnreadable =
      series && 'No order of day and month makes a date of every heading: correct them in the file.'
    return {
      ...question,
      mapping: undefined,
      days: undefined,
      error: question.error ?? isUnreadable,
    }
  }
  const missing = reading.days.filter((day) => !known.has(day))
  const canCreate = takesNewDates(series)
  const isOpen =
    choice.isUnclear ||
    (missing.length > 0 && canCreate && settings.createsDates === undefined) ||
    (empty > 0 && settings.empty === undefined)
  const { order, year } = reading
  return {
    ...question,
    days: { reading, missing, canCreate },
    mapping: isOpen
      ? undefined
      : {
          ...mapping,
          same: { ...mapping.same, eventId: series.id },
          ticks: { ...settings, order, ...(year !== undefined && { year }) },
        },
  }
}

async function loadSeries(
  { c }: OpenedFile,
  { collection, timeZone }: Mapping,
  eventId: string,
): Promise<SheetSeries | undefined> {
  const { destination: parts } = await c.var.openRecords()
  const run = new RunningImport(c.var.store, { collection })
  return readSheetSeries(createDestination(parts, collection, run), eventId, timeZone)
}

async function searchSeries({ c, form }: OpenedFile): Promise<PickerSearch> {
  const text = form.get(searchName(eventField))
  return { text, choices: await findChoices(c, 'events', text) }
}

const maxReadings = 6
const maxEvents = 500
const maxProposals = 6

/** Proposes the series and events with the most dates on the days of the sheet. */
async function proposeSeries(
  c: OpenedFile['c'],
  readings: readonly DayReading[],
): Promise<PickerSearch> {
  const days = new Map<string, Set<string>>()
  for (const reading of readings.slice(0, maxReadings)) {
    const sheetDays = new Set(reading.days)
    const sorted = reading.days.toSorted()
    const first = sorted[0] ?? ''
    const last = sorted.at(-1) ?? ''
    const { records } = await readSortedRecords(c.var.store, 'events', {
      field: 'start',
      descending: false,
      limit: maxEvents,
      // A day begins an hour earlier in UTC while it is summer time.
      after: { value: previousDay(first), ordinal: 0 },
    })
    for (const { document } of records) {
      const { eventId, parentEventId, start } = JSON.parse(document)
      const day = londonDay(String(start))
      if (day > last) break
      if (!sheetDays.has(day)) continue
      const id = String(parentEventId || eventId)
      days.set(id, (days.get(id) ?? new Set()).add(day))
    }
  }
  const best = [...days]
    .toSorted(([, one], [, other]) => other.size - one.size)
    .slice(0, maxProposals)
  const choices = await loadChoices(
    c,
    'events',
    best.map(([id]) => id),
  )
  return {
    text: '',
    choices: choices.map((choice) => ({
      ...choice,
      detail: `on ${formatCount(days.get(choice.id)?.size ?? 0, 'date')} of the sheet`,
    })),
  }
}

const previousDay = (day: string) =>
  new Date(Date.parse(`${day}T00:00:00.000Z`) - 24 * 3_600_000).toISOString()
