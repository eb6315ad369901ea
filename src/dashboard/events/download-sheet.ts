import type { Context } from 'hono'
import { respondWithTable } from '../../formats/table-file.ts'
import type { Cell } from '../../formats/xlsx.ts'
import { ApiError } from '../../model/api-error.ts'
import { formatShortDay, formatShortMoment } from '../../model/dates.ts'
import { londonDay } from '../../model/timestamp.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { single } from '../../platform/single.ts'
import { readCountedPage, readPages } from '../../resources/routes/list-source.ts'
import { type Attendance, readAttendance } from '../../sign-up/who-came.ts'
import { recordDownload } from '../../store/audit-log.ts'
import {
  type CollectionInfo,
  describeCollection,
  recordTitle,
  type ShownValues,
} from '../collection/collection-info.ts'
import { loadRecord, loadRecordsById } from '../collection/read.ts'
import type { DashboardEnv } from '../session/signed-in.ts'

const maxDates = 400
const maxCells = 500_000

/** The cells of people with a place, which imports read in the same way. Other people have an empty cell. */
const marks: Partial<Record<Attendance, string>> = {
  came: '✓',
  'did not come': '✗',
  'not marked': 'booked',
  booked: 'booked',
}

type Person = { name: string; memberId: string; marks: Map<string, string> }

/**
 * Downloads the registers of a series as a sheet of ticks, with a row for each person and a column for each date; of a single
 * event, with one column. Throws 404, and 400 for a sheet that is too large.
 */
export async function downloadSheet(
  c: Context<DashboardEnv>,
  eventId: string,
  format: 'csv' | 'xlsx',
): Promise<Response> {
  const events = await describeCollection(c, 'events')
  const bookings = await describeCollection(c, 'bookings')
  const { values: event } = await loadRecord(c, events, eventId)
  const series = (await Array.fromAsync(readWhere(c, events, 'parentEventId', eventId))).flat()
  const dates = (series.length > 0 ? series : [event]).toSorted((one, other) =>
    String(one.start).localeCompare(String(other.start)),
  )
  if (dates.length > maxDates) throw tooLarge(maxDates, 'dates')
  const reference = event.parentEventId ? 'childEventId' : 'eventId'
  const dateIds = new Set(dates.map((date) => String(date.eventId)))
  const people = new Map<string, Person>()
  for await (const page of readWhere(c, bookings, reference, eventId)) {
    const attendance = await readAttendance(c.var.store, page, londonDay(Date.now()))
    for (const booking of page) {
      const mark = marks[attendance.get(String(booking.bookingId)) ?? 'cancelled']
      // Other systems book a series without a date.
      if (mark !== undefined && dateIds.has(dateOf(booking))) addMark(people, booking, mark)
    }
    if (people.size * dates.length > maxCells) throw tooLarge(maxCells, 'cells')
  }
  await nameMembers(c, [...people.values()])
  await recordDownload(c.var.store, 'bookings', format === 'csv' ? 'CSV' : 'Excel')
  const names = new Intl.Collator('en-GB')
  const rows = [...people.values()]
    .toSorted((one, other) => names.compare(one.name, other.name))
    .map((person) => [
      person.name,
      person.memberId,
      ...dates.map((date) => person.marks.get(String(date.eventId)) ?? ''),
    ])
  return respondWithTable(c, {
    format,
    name: 'registers',
    label: String(event.name || 'Registers'),
    headings: ['Name', 'Member ID', ...formatHeadings(dates.map(({ start }) => String(start)))],
    rows: single(rows.map((row) => row.map((text): Cell => ({ type: 'text', text })))),
  })
}

/** The days of some times, with the time if two are on one day. */
function formatHeadings(starts: readonly string[]): string[] {
  const days = Map.groupBy(starts, londonDay)
  return starts.map((start) => {
    const day = londonDay(start)
    return days.get(day)?.length === 1 ? formatShortDay(day) : formatShortMoment(start)
  })
}

/** Adds the booking of a person with a place. A person with several bookings for a date came if one of them says so. */
function addMark(people: Map<string, Person>, booking: ShownValues, mark: string): void {
  const text = (name: string) => String(booking[name] ?? '')
  const memberId = text('memberId')
  const name = text('userName').trim()
  const key =
    memberId || JSON.stringify([name, text('userEmail')].map((part) => part.toLowerCase()))
  const person = people.get(key) ?? { name, memberId, marks: new Map<string, string>() }
  const date = dateOf(booking)
  people.set(key, { ...person, name: person.name || name })
  if (person.marks.get(date) !== marks.came) person.marks.set(date, mark)
}

const dateOf = ({ childEventId, eventId }: ShownValues) => String(childEventId || eventId)

/** Adds the names of members to people without a name in their bookings. */
async function nameMembers(c: Context<DashboardEnv>, people: readonly Person[]): Promise<void> {
  const unnamed = people.filter(({ name, memberId }) => name === '' && memberId !== '')
  if (unnamed.length === 0) return
  const members = await describeCollection(c, 'members')
  const records = await loadRecordsById(
    c,
    members,
    unnamed.map(({ memberId }) => memberId),
  )
  for (const person of unnamed) {
    const values = records.get(person.memberId)
    if (values) person.name = recordTitle(members, values)
  }
}

/** Yields the records of a collection with a value, page by page. Each page checks the access again. */
async function* readWhere(
  c: Context<DashboardEnv>,
  { list }: CollectionInfo,
  name: string,
  value: string,
): AsyncGenerator<ShownValues[], void> {
  const filter = { name, literals: [{ type: 'text', value } as const] }
  const { first, following } = await readPages(
    (query, known) => readCountedPage(c.var.store, list, query, known),
    { offset: 0, filters: [], options: { filter, orderBy: [], isCounted: false } },
  )
  const parse = (documents: readonly string[]) =>
    documents.map((document): ShownValues => JSON.parse(document))
  yield parse(first.documents())
  for await (const page of following) yield parse(page.documents())
}

const tooLarge = (max: number, noun: string) =>
  new ApiError('BAD_REQUEST', `A sheet has at most ${formatNumber(max)} ${noun}.`)
