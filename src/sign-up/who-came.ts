import { type Predicate, passes } from '../model/query/predicate.ts'
import { hasOne, unmarked, whoCame } from '../store/sign-up/attendance-rule.ts'
import { madeHereField, readBookingFacts, readBookingGroups } from '../store/sign-up/who-came.ts'
import type { Store } from '../store/store.ts'
import { readMatched } from '../store/summary/read-matched.ts'

type Booking = Readonly<Record<string, unknown>>

/** Whether the person of a booking came. */
export type Attendance = 'came' | 'did not come' | 'not marked' | 'booked' | 'waiting' | 'cancelled'

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
