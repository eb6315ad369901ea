import type { Context } from 'hono'
import { londonDay } from '../../../model/timestamp.ts'
import type { StoredQuestion } from '../../../sign-up/event-questions.ts'
import { acceptsBookings } from '../../../sign-up/public-events.ts'
import { countRegisters, noBookings, type RegisterCounts } from '../../../sign-up/who-came.ts'
import { readEventQuestions } from '../../../store/sign-up/event-questions.ts'
import { readDates } from '../../../store/sign-up/series.ts'
import type { ShownValues } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'

/** A date of a series with the numbers of its register. */
export type SeriesDate = RegisterCounts & {
  id: string
  start: string
  values: ShownValues
  waiting: number
  /** Whether it asks other questions than the series. */
  hasQuestions: boolean
}

/** What the page of a series shows of its dates. */
export type Series = {
  /** The dates of today and to come, the next one first. */
  coming: readonly SeriesDate[]
  /** The dates before today, the latest first. */
  past: readonly SeriesDate[]
  /** Whether there are more dates, further back. */
  isCut: boolean
  /** Whether the bookings are counted: not if there are too many. */
  isCounted: boolean
  /** The number of different members who came. */
  members: number
  /** The number of bookings with a place that name the series but none of its dates. */
  withoutDate: number
  questions: readonly StoredQuestion[]
  /** Whether people can sign up for all dates at once. */
  booksAllDates: boolean
  /** The path of its public page; undefined while the public pages are off or it accepts no bookings. */
  publicPath: string | undefined
}

/** Loads the dates of an event with their numbers; undefined if the event is no series. */
export async function loadSeries(
  c: Context<DashboardEnv>,
  id: string,
): Promise<Series | undefined> {
  const { store } = c.var
  const read = await readDates(store, id)
  if (!read.isSeries) return undefined
  const today = londonDay(Date.now())
  const stored = read.dates.map(({ document, ...date }) => {
    const values: ShownValues = JSON.parse(document)
    return { ...date, values, id: String(values.eventId), start: String(values.start ?? '') }
  })
  const [counted, { questions, booksAllDates }] = await Promise.all([
    countRegisters(store, [id, ...stored.map((date) => date.id)], today),
    readEventQuestions(store, id),
  ])
  const countsOf = counted?.countsOf ?? (() => noBookings)
  const dates = stored.map((date): SeriesDate => Object.assign(date, countsOf(date.id)))
  const isComing = ({ start }: SeriesDate) => londonDay(start) >= today
  return {
    coming: dates.filter(isComing),
    past: dates.filter((date) => !isComing(date)).toReversed(),
    isCut: read.isCut,
    isCounted: counted !== undefined,
    members: counted?.members ?? 0,
    withoutDate: countsOf(id).held,
    questions: JSON.parse(questions),
    booksAllDates,
    publicPath:
      read.pages.enabled && read.event && acceptsBookings(JSON.parse(read.event))
        ? `/o/${encodeURIComponent(store.organisationId)}/events/${encodeURIComponent(id)}`
        : undefined,
  }
}
