import { type Predicate, passes, type Scalar } from '../model/query/predicate.ts'
import type { RowBudget } from '../store/query/query-reader.ts'
import {
  madeHereField,
  readBookingFacts,
  readBookingGroups,
  readRegisters,
} from '../store/sign-up/who-came.ts'
import type { Store } from '../store/store.ts'
import { readMatched } from '../store/summary/read-matched.ts'

/*
 * Decides whether the person of a booking came. A mark on the event's register says so. Without a mark, it depends:
 * - A booking *made here*, on a public page or the dashboard, is not marked: nobody knows.
 * - If somebody took the register of its event, the booking is not marked either: it was forgotten.
 * - Any other past booking came from another system, and its `attending` says whether the person came.
 * The rules are predicates, so that the index can count bookings by them, and `passes` can apply them to one booking.
 */

type Booking = Readonly<Record<string, unknown>>

/** Whether the person of a booking came. */
export type Attendance = 'came' | 'did not come' | 'not marked' | 'booked' | 'waiting' | 'cancelled'

/** The predicates of the bookings with somebody who came, and of the bookings not marked; undefined if there can be none. */
export type WhoCame = { came: Predicate; notMarked: Predicate | undefined }

const hasOne = (name: string, values: Iterable<Scalar>): Predicate => ({
  field: { path: [name], isList: false },
  values: new Set(values),
})

const compareDate = (operator: 'ge' | 'le', value: string): Predicate => ({
  field: { path: ['date'], isList: false },
  operator,
  value,
})

/** The properties of a booking that decide whether somebody came. */
export const decisiveProperties = ['orgStatus', 'attending', 'date', 'eventId', 'childEventId']

/** The conditions of a past booking with a place and without a mark. The date is negated because the index has fewer days to come than past ones. */
const unmarked = (today: string): Predicate[] => [
  hasOne('attending', [true]),
  { not: hasOne('orgStatus', ['attended', 'absent']) },
  { not: compareDate('ge', today) },
]

const madeHere = hasOne(madeHereField, [true])

/** The predicates, given the ids of the events with a register that somebody took. */
function whoCame(today: string, markedEvents: ReadonlySet<string>) {
  const isOfMarkedEvent = ['eventId', 'childEventId'].map((name) => hasOne(name, markedEvents))
  const needsMark: Predicate = {
    or: markedEvents.size > 0 ? [madeHere, ...isOfMarkedEvent] : [madeHere],
  }
  const predicates: Record<keyof WhoCame, Predicate> = {
    came: {
      or: [hasOne('orgStatus', ['attended']), { and: [...unmarked(today), { not: needsMark }] }],
    },
    notMarked: { and: [...unmarked(today), needsMark] },
  }
  return predicates
}

type WhoCameOptions = {
  /** A day in UK time. */
  today: string
  /** The days of the bookings to count; by default all. */
  from?: string | undefined
  to?: string | undefined
  budget?: RowBudget | undefined
}

/** The predicates for a count of bookings. Throws 400 for too many events. */
export async function findWhoCame(
  store: Store,
  { today, from, to, budget }: WhoCameOptions,
): Promise<WhoCame> {
  const dependsOnRegister: Predicate = {
    and: [
      ...unmarked(today),
      { not: madeHere },
      ...(from ? [compareDate('ge', from)] : []),
      ...(to ? [compareDate('le', to)] : []),
    ],
  }
  const { events, hasMadeHere } = await readRegisters(store, dependsOnRegister, budget)
  const { came, notMarked } = whoCame(today, events)
  return { came, notMarked: hasMadeHere || events.size > 0 ? notMarked : undefined }
}

/** A booking for an occurrence names its series as the event too, and is on the register of the occurrence. */
const ofOccurrence: Predicate = {
  not: {
    or: [
      hasOne('childEventId', ['']),
      { field: { path: ['childEventId'], isList: false }, operator: 'eq', value: null },
    ],
  },
}

/** Counts the bookings on the registers of some events that are not marked, by event id. `today` is a day in UK time. */
export async function countNotMarked(
  store: Store,
  eventIds: readonly string[],
  today: string,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(eventIds.map((id) => [id, 0]))
  const { events } = await readBookingFacts(store, [], eventIds)
  const { notMarked } = whoCame(today, events)
  for (const [name, isOfRegister] of [
    ['childEventId', ofOccurrence],
    ['eventId', { not: ofOccurrence }],
  ] as const) {
    const predicate = { and: [hasOne(name, eventIds), isOfRegister, notMarked] }
    const field = { path: [name], isList: false }
    const columns = await readMatched(store, 'bookings', [field], { predicate })
    for (const [id, count] of columns.flatMap((column) => [...column.countRecords()]))
      counts.set(String(id), (counts.get(String(id)) ?? 0) + count)
  }
  return counts
}

/** The numbers of bookings on the register of an event. */
export type RegisterCounts = Record<'held' | 'came' | 'absent' | 'notMarked', number>

export const noBookings: RegisterCounts = { held: 0, came: 0, absent: 0, notMarked: 0 }

/**
 * Counts the bookings on the registers of some events, and the different members who came to one of them. `today` is a
 * day in UK time. Returns undefined if the events have too many bookings to count.
 */
export async function countRegisters(
  store: Store,
  eventIds: readonly string[],
  today: string,
): Promise<{ countsOf(eventId: string): RegisterCounts; members: number } | undefined> {
  const groups = await readBookingGroups(store, eventIds)
  if (!groups) return undefined
  const marks = ['attended', 'absent']
  const marked = groups.filter(({ orgStatus }) => marks.includes(orgStatus))
  const { came, notMarked } = whoCame(today, new Set(marked.map(({ registerId }) => registerId)))
  const counts = new Map<string, RegisterCounts>()
  const members = new Set<string>()
  const countsOf = (eventId: string) => counts.get(eventId) ?? noBookings
  for (const { registerId, count, isMadeHere, memberIds, ...booking } of groups) {
    const known = { ...booking, [madeHereField]: isMadeHere }
    const hasCome = passes(came, known)
    const { held, came: attended, absent, notMarked: unmarked } = countsOf(registerId)
    counts.set(registerId, {
      held: held + (booking.attending ? count : 0),
      came: attended + (hasCome ? count : 0),
      absent: absent + (booking.orgStatus === 'absent' ? count : 0),
      notMarked: unmarked + (passes(notMarked, known) ? count : 0),
    })
    if (hasCome) for (const id of memberIds) if (id !== '') members.add(id)
  }
  return { countsOf, members: members.size }
}

/** Whether the people of some bookings came, by booking id. `today` is a day in UK time. */
export async function readAttendance(
  store: Store,
  bookings: readonly Booking[],
  today: string,
): Promise<ReadonlyMap<string, Attendance>> {
  if (bookings.length === 0) return new Map()
  const isUnmarked: Predicate = { and: unmarked(today) }
  const eventIds = bookings
    .filter((booking) => passes(isUnmarked, booking))
    .flatMap(({ eventId, childEventId }) => [eventId, childEventId])
    .filter((id): id is string => typeof id === 'string' && id !== '')
  const { madeHere, events, waiting } = await readBookingFacts(
    store,
    bookings.map(({ bookingId }) => String(bookingId)),
    [...new Set(eventIds)],
  )
  const predicates = whoCame(today, events)
  return new Map(
    bookings.map((booking) => {
      const id = String(booking.bookingId)
      const facts = {
        today,
        predicates,
        isMadeHere: madeHere.has(id),
        isWaiting: waiting.has(id),
      }
      return [id, decideAttendance(booking, facts)]
    }),
  )
}

type Facts = {
  today: string
  predicates: ReturnType<typeof whoCame>
  isMadeHere: boolean
  isWaiting: boolean
}

function decideAttendance(booking: Booking, facts: Facts): Attendance {
  const { today, predicates, isMadeHere, isWaiting } = facts
  const { came, notMarked } = predicates
  const known = { ...booking, [madeHereField]: isMadeHere }
  if (passes(came, known)) return 'came'
  if (passes(notMarked, known)) return 'not marked'
  const { orgStatus, userStatus, attending, date } = booking
  if (orgStatus === 'absent') return 'did not come'
  if (isWaiting) return 'waiting'
  if (attending === true) return 'booked'
  const isCancelled = isMadeHere || userStatus === 'cancelled' || String(date ?? '') >= today
  return isCancelled ? 'cancelled' : 'did not come'
}
