import type { Values } from '../../model/properties/schema.ts'
import { londonDay } from '../../model/timestamp.ts'
import { TimeZone } from '../../platform/time-zone.ts'
import { markOf } from '../../sign-up/register/attendance.ts'
import type { NewDocument } from '../../store/write/put.ts'
import type { RecordDestination } from '../destination/destination.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { chooseDayReading, listDayReadings } from '../parse/heading-days.ts'
import { foldText, isEmptyCell } from '../parse/text.ts'
import type { TickSheet } from '../rows/table.ts'
import { UnreadableFileError } from '../source/source.ts'
import { loadTarget } from '../targets/load-target.ts'
import type { ConvertedRow } from './convert-row.ts'
import type { CellError, CellMessage } from './import-row.ts'
import { eventValues, localDay } from './set-event.ts'

/** An event, and its dates if it is a series. */
export type SheetSeries = {
  id: string
  values: Values
  dates: readonly SheetDate[]
}

/** A date of a series, or a single event: its id, local day and properties. */
export type SheetDate = { id: string; day: string; values: Values }

/** Whether new dates can be added to an event: it is a series, which has dates. */
export const takesNewDates = ({ dates, id }: SheetSeries): boolean =>
  dates.some((date) => date.id !== id)

/** Reads an event with its dates; for a date, its series. Undefined for an unknown id. */
export async function readSheetSeries(
  destination: RecordDestination,
  eventId: string,
  timeZone: string,
): Promise<SheetSeries | undefined> {
  const document = (await destination.readDocuments('events', [eventId])).get(eventId)
  if (document === undefined) return undefined
  const values: Values = JSON.parse(document)
  const { parentEventId } = values
  if (typeof parentEventId === 'string' && parentEventId !== '')
    return readSheetSeries(destination, parentEventId, timeZone)
  const owners = await destination.findOwners('events', [
    { field: 'parentEventId', value: eventId },
  ])
  const documents = await readInParts(
    destination,
    'events',
    owners.map(({ id }) => id),
  )
  const single: [string, string][] = [[eventId, document]]
  const zone = new TimeZone(timeZone)
  return {
    id: eventId,
    values,
    dates: (documents.length > 0 ? documents : single).flatMap(([id, text]): SheetDate[] => {
      const date: Values = JSON.parse(text)
      return typeof date.start === 'string'
        ? [{ id, day: localDay(date.start, zone), values: date }]
        : []
    }),
  }
}

type Booking = { id: string; memberId: string; name: string }

/**
 * The events of a sheet of ticks. Its days are the dates of one series; a day without a date is created, or its column is
 * left out. The booking of a person for a date is found by the member or the name, so that a sheet marks the bookings of a
 * sign-up, and again those of an earlier sheet.
 */
export class SheetEvents {
  readonly #sheet: TickSheet
  readonly #mapping: Mapping
  readonly #destination: RecordDestination
  readonly #markIndex: number
  readonly #zone: TimeZone
  /** The properties that a booking repeats of its event, by the heading of the day. */
  readonly #events = new Map<string, ReturnType<typeof eventValues>>()
  /** The bookings of each date. */
  readonly #bookings = new Map<string, Booking[]>()
  /** Whether the people of marked bookings came, by booking, for each date. */
  readonly #marks = new Map<string, Map<string, boolean>>()
  /** The member of each name with bookings for these dates; null for several. */
  readonly #members = new Map<string, string | null>()

  constructor(
    sheet: TickSheet,
    headings: readonly string[],
    mapping: Mapping,
    destination: RecordDestination,
  ) {
    this.#sheet = sheet
    this.#mapping = mapping
    this.#destination = destination
    this.#markIndex = headings.indexOf(sheet.markHeading)
    this.#zone = new TimeZone(mapping.timeZone)
  }

  /** Finds the events of the days, and their bookings. Creates events in `events`, if the mapping says so and `writes` is true. */
  async load(
    addWarnings: (line: number, warnings: readonly CellMessage[]) => void,
    { events, writes }: { events: RecordDestination | undefined; writes: boolean },
  ): Promise<void> {
    const { matrix, days, totals } = this.#sheet
    const line = matrix.headingLine
    for (const column of totals)
      addWarnings(line, [{ column, message: 'holds totals and is skipped.', value: '' }])
    const eventId = String(this.#mapping.same.eventId ?? '')
    const series =
      eventId === ''
        ? undefined
        : await readSheetSeries(this.#destination, eventId, this.#mapping.timeZone)
    if (!series)
      throw new UnreadableFileError(line, 'has people by dates: name their series by --event.')
    const dates = Map.groupBy(series.dates, ({ day }) => day)
    const readings = listDayReadings(
      days.map(({ day }) => day),
      this.#mapping.ticks ?? {},
      londonDay(Date.now()),
    )
    const chosen = chooseDayReading(readings, new Set(dates.keys()))
    if (!chosen || chosen.isUnclear)
      throw new UnreadableFileError(
        line,
        'has dates that can be read in two ways, or not at all: say whether the day or the month comes first.',
      )
    const creates =
      this.#mapping.ticks?.createsDates === true && events !== undefined && takesNewDates(series)
    const documents: NewDocument[] = []
    for (const [index, { heading }] of days.entries()) {
      const day = chosen.reading.days[index] ?? ''
      const [date, ...others] = dates.get(day) ?? []
      if (others.length > 0)
        throw new UnreadableFileError(
          line,
          `has one column for ${heading}, a day with ${others.length + 1} events: import it as a sign-in sheet of one event.`,
        )
      const created = !date && creates ? await this.#createDate(series, day) : undefined
      if (created) documents.push(created)
      const found = created ? { id: created.id, values: JSON.parse(created.document) } : date
      if (found) this.#events.set(heading, eventValues(found.id, found.values, this.#zone))
      else
        addWarnings(line, [
          { column: heading, message: 'has no event on this day and is left out.', value: '' },
        ])
    }
    if (documents.length > 0 && writes && events) {
      const target = await loadTarget('events', events.organisationId, {})
      if (target) await events.write(target, documents, [])
    }
    await this.#loadBookings()
  }

  /** Sets the events of rows, and whether the people came. Returns the rows that are bookings. */
  link(rows: readonly ConvertedRow[]): ConvertedRow[] {
    const { dayHeading, markHeading } = this.#sheet
    return rows.filter((row) => {
      const { cells } = row.source
      const event = this.#events.get(cells[this.#markIndex - 1] ?? '')
      if (!event) return false
      row.warnings = row.warnings.filter(
        ({ column }) => column !== markHeading && column !== dayHeading,
      )
      for (const [path, value] of Object.entries(event)) row.values.set(path, value)
      const hasError = row.errors.some(({ column }) => column === markHeading)
      if (isEmptyCell((cells[this.#markIndex] ?? '').trim())) {
        if (this.#mapping.ticks?.empty !== 'absent') return false
        row.values.set('attending', false)
      } else if (!hasError && typeof row.values.get('attending') !== 'boolean') return false
      const name = foldText(textOf(row.values.get('userName')))
      const member = this.#members.get(name)
      if (textOf(row.values.get('memberId')) === '' && member) row.values.set('memberId', member)
      return true
    })
  }

  /** The id of the person's booking for the event of a row; undefined without one. Adds an error if several have the name. */
  findBooking(row: ConvertedRow): string | undefined {
    const { values, errors } = row
    const bookings = this.#bookings.get(dateOf(values)) ?? []
    const memberId = textOf(values.get('memberId'))
    const ofMember = bookings.find((booking) => memberId !== '' && booking.memberId === memberId)
    if (ofMember) return ofMember.id
    const name = foldText(textOf(values.get('userName')))
    const [booking, ...others] = bookings.filter(
      (candidate) => candidate.name === name && (memberId === '' || candidate.memberId === ''),
    )
    if (others.length > 0) errors.push(severalBookings)
    return booking?.id
  }

  /** A new date of a series: it has the times of the nearest date, and the other properties of the series. */
  async #createDate(
    { id, values, dates }: SheetSeries,
    day: string,
  ): Promise<NewDocument | undefined> {
    const target = await loadTarget('events', this.#destination.organisationId, {})
    const distance = (date: SheetDate) => Math.abs(Date.parse(date.day) - Date.parse(day))
    const [nearest] = dates.toSorted((one, other) => distance(one) - distance(other))
    const created = target?.merge(undefined, {
      ...values,
      eventId: crypto.randomUUID(),
      parentEventId: id,
      attendees: null,
      concluded: null,
      recurrence: { type: 'none', recurring: false, rrule: '' },
      ...this.#timesOn(day, nearest?.values ?? values),
    })
    return created && 'value' in created ? created.value : undefined
  }

  #timesOn(day: string, { start, end }: Values): { start: string; end: string | null } {
    const time =
      typeof start === 'string' ? this.#zone.local(Date.parse(start)).slice(11) : '12:00:00.000'
    const instant = this.#zone.instant(day, time)
    const skipped = `${day}T${time}Z`
    const utc = 'utc' in instant ? instant.utc : 'first' in instant ? instant.first : skipped
    const length =
      typeof start === 'string' && typeof end === 'string'
        ? Date.parse(end) - Date.parse(start)
        : undefined
    return {
      start: utc,
      end: length === undefined ? null : new Date(Date.parse(utc) + length).toISOString(),
    }
  }

  /** Notes the mark of a stored or imported booking. */
  noteMark(id: string, values: Values): void {
    const mark = markOf({ orgStatus: textOf(values.orgStatus) })
    if (!mark) return
    const date = dateOf(new Map(Object.entries(values)))
    const marks = this.#marks.get(date) ?? new Map<string, boolean>()
    this.#marks.set(date, marks.set(id, mark === 'attended'))
  }

  /** Sets the number of people who came to each date with marks, as the register does. */
  async countAttendees(events: RecordDestination): Promise<void> {
    const target = await loadTarget('events', events.organisationId, {})
    if (!target) return
    const stored = await readInParts(events, 'events', [...this.#marks.keys()])
    const documents = stored.flatMap(([id, document]): NewDocument[] => {
      const attendees = [...(this.#marks.get(id)?.values() ?? [])].filter(Boolean).length
      const values: Values = JSON.parse(document)
      const merged = target.merge(values, { attendees })
      return 'value' in merged && values.attendees !== attendees ? [merged.value] : []
    })
    if (documents.length > 0) await events.write(target, documents, [])
  }

  async #loadBookings(): Promise<void> {
    const field = (values: ReturnType<typeof eventValues>) =>
      values.childEventId === undefined ? 'eventId' : 'childEventId'
    const owners = await this.#destination.findOwners(
      'bookings',
      [...this.#events.values()].map((values) => ({
        field: field(values),
        value: values.childEventId ?? values.eventId,
      })),
    )
    const documents = await readInParts(this.#destination, 'bookings', [
      ...new Set(owners.map(({ id }) => id)),
    ])
    for (const [id, document] of documents) {
      const values: Values = JSON.parse(document)
      this.noteMark(id, values)
      const booking = {
        id,
        memberId: textOf(values.memberId),
        name: foldText(textOf(values.userName)),
      }
      const date = dateOf(new Map(Object.entries(values)))
      const others = this.#bookings.get(date)
      if (others) others.push(booking)
      else this.#bookings.set(date, [booking])
      if (booking.memberId === '' || booking.name === '') continue
      const known = this.#members.get(booking.name)
      this.#members.set(
        booking.name,
        known === undefined || known === booking.memberId ? booking.memberId : null,
      )
    }
  }
}

/** The properties of a booking that a sheet of ticks changes. */
export const isMarkedProperty = (path: string): boolean =>
  path === 'orgStatus' || path === 'attending' || path === 'memberId'

const severalBookings: CellError = {
  column: '',
  message: 'is about a person with several bookings for the event: mark them on the register.',
  code: 'ambiguous',
  value: '',
}

const dateOf = (values: ReadonlyMap<string, unknown>): string =>
  textOf(values.get('childEventId')) || textOf(values.get('eventId'))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const maxIds = 500

/** Reads documents by id in parts, because each read has a limit. */
async function readInParts(
  destination: RecordDestination,
  collection: string,
  ids: readonly string[],
): Promise<[string, string][]> {
  const documents: [string, string][] = []
  for (let start = 0; start < ids.length; start += maxIds)
    documents.push(
      ...(await destination.readDocuments(collection, ids.slice(start, start + maxIds))),
    )
  return documents
}
