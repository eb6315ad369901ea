import { type SQL, sql } from 'drizzle-orm/sql'
import { invalidInput } from '../model/api-error.ts'
import type { Values } from '../model/properties/schema.ts'
import { commitAttendee } from '../store/sign-up/change-attendee.ts'
import { changeBookings } from '../store/sign-up/change-bookings.ts'
import { insertMailing, type NewMailing } from '../store/sign-up/mailings.ts'
import { hasPlacesLeft } from '../store/sign-up/places.ts'
import {
  readBookingsByLink,
  readOrder,
  type StoredLinkedBooking,
} from '../store/sign-up/read-booking.ts'
import { readStoredSignUpForm } from '../store/sign-up/read-event.ts'
import type { Store } from '../store/store.ts'
import { type AttendeeInput, checkAttendees, hashPerson } from './attendees.ts'
import { bookedMailing } from './booked-mailing.ts'
import { type BookingState, liveStates, personOf, stateOf } from './booking.ts'
import type { Contact, MailContext } from './context.ts'
import { parseSignUpForm } from './form.ts'
import { hashSecret, secretPattern } from './link.ts'
import { PublicError } from './public-error.ts'
import { type EventDocument, isOver } from './public-events.ts'
import { offerFreePlaces } from './waiting-list.ts'

/** The booking of a private link. */
export type LinkedBooking = {
  bookingId: string
  booking: {
    eventId: string
    orderId: string
    userName: string
    userStatus: BookingState
    orgStatus: string
    attending: boolean
    bookingType: string
  }
  /** Undefined if the event was deleted. */
  event: EventDocument | undefined
  /** Whether the event has ended, or was deleted. */
  isOver: boolean
  contact: Contact
  values: Values
  questionAnswers: Record<string, string>
  /** The version of the calendar entry. */
  sequence: number
  /** The time when the place falls free, unless it is confirmed or accepted. */
  heldUntil: string | undefined
  /** All bookings of a family's link or of a sign-up's, with this one; of those only the chosen ones, if any were. */
  family: FamilyBooking[]
}

export type FamilyBooking = Pick<
  LinkedBooking,
  'bookingId' | 'booking' | 'event' | 'isOver' | 'sequence' | 'heldUntil'
>

/** The bookings of a link by event, in order of their start. Those of a series have several. */
export const groupByDate = ({ family }: Pick<LinkedBooking, 'family'>): FamilyBooking[][] =>
  [...Map.groupBy(family, ({ booking }) => booking.eventId).values()].toSorted(([one], [other]) =>
    (one?.event?.start ?? '').localeCompare(other?.event?.start ?? ''),
  )

/**
 * Reads the booking that a link's secret leads to; of several the first. `chosenId` chooses one booking, or those for
 * one event. Undefined for an unknown secret, and for a choice that the link does not lead to.
 */
export async function readLinkedBooking(
  store: Store,
  secret: string,
  chosenId?: string,
): Promise<LinkedBooking | undefined> {
  if (!secretPattern.test(secret)) return undefined
  const now = new Date().toISOString()
  const stored = await readBookingsByLink(store, await hashSecret(secret))
  const parsed = stored.map((row) => ({ row, shown: parseFamilyBooking(row, now) }))
  const chosen = parsed.filter(
    ({ shown: { bookingId, booking } }) =>
      chosenId === undefined || [bookingId, booking.eventId].includes(chosenId),
  )
  const [first] = chosen
  if (!first) return undefined
  const { contact, answers, questionAnswers } = first.row
  return {
    ...first.shown,
    contact: JSON.parse(contact),
    values: JSON.parse(answers),
    questionAnswers: JSON.parse(questionAnswers),
    family: chosen.map(({ shown }) => shown),
  }
}

function parseFamilyBooking(row: StoredLinkedBooking, now: string): FamilyBooking {
  const { bookingId, booking, sequence, heldUntil } = row
  const event: EventDocument | undefined = row.event === null ? undefined : JSON.parse(row.event)
  return {
    bookingId,
    booking: JSON.parse(booking),
    sequence,
    event,
    isOver: event === undefined || isOver(event, now),
    heldUntil: heldUntil ?? undefined,
  }
}

/**
 * Confirms the contact's address: every place of the sign-up stays taken. A sign-up without a place
 * takes free places, or waits. Throws 409 after the place was lost.
 */
export const confirmAddress = (
  context: MailContext,
  secret: string,
  chosenId?: string,
): Promise<void> => keepPlaces(context, ['unconfirmed', 'pending'], secret, chosenId)

/** Accepts the offered places of a sign-up. Throws 409 after the offer has ended. */
export const acceptOffer = (
  context: MailContext,
  secret: string,
  chosenId?: string,
): Promise<void> => keepPlaces(context, ['offered'], secret, chosenId)

/** Confirms all bookings of the sign-up that are in one of the states. Confirming twice changes nothing. */
async function keepPlaces(
  context: MailContext,
  states: BookingState[],
  secret: string,
  chosenId: string | undefined,
) {
  const { store } = context
  const linked = await requireBooking(store, secret, chosenId)
  const inState = linked.family.find(({ booking }) => states.includes(booking.userStatus))
  const { bookingId, booking, isOver } = inState ?? linked
  if (booking.userStatus === 'confirmed') return
  if (isOver) throw new PublicError('eventOver')
  if (inState && (await confirm(context, { ...linked, ...inState }, states))) return
  // Another request with a link of this sign-up may have been faster.
  const { family } = await requireBooking(store, secret, chosenId)
  const latest = family.find((it) => it.bookingId === bookingId)?.booking.userStatus
  const kept: (BookingState | undefined)[] =
    booking.userStatus === 'pending' ? ['confirmed', 'waiting'] : ['confirmed']
  if (!kept.includes(latest)) throw new PublicError('placeLost')
}

/**
 * Confirms the bookings of a sign-up that are in one of the states. Bookings without a place take the free
 * places of the event, or wait. Returns whether there were any.
 */
async function confirm(
  { store, mail }: MailContext,
  linked: LinkedBooking,
  states: readonly BookingState[],
): Promise<boolean> {
  const { booking } = linked
  const read = await Promise.all(states.map((state) => readGroups(store, booking, state)))
  const groups = read.flat()
  const mailing = mail && newBookedMailing(linked, groups)
  const move = ({ state, bookings }: BookingGroup, to: BookingState, condition?: SQL) =>
    changeBookings(store, {
      bookingIds: bookings.map(({ id }) => id),
      from: [state],
      set: stateOf(to),
      condition,
      // The queue takes it once, also with many dates.
      others: mailing && to === 'confirmed' ? insertMailing(store, mailing) : [],
    })
  let isChanged = false
  for (const group of groups) {
    const isMoved =
      group.state === 'pending'
        ? (await move(group, 'confirmed', hasPlacesFor(store, booking, group))) ||
          (await move(group, 'waiting'))
        : await move(group, 'confirmed')
    isChanged ||= isMoved
  }
  return isChanged
}

/** Bookings of a sign-up in one state that change together. */
type BookingGroup = { state: BookingState; bookings: { id: string; eventId: string }[] }

/** Reads the bookings of a sign-up in a state: those without a place by event, those with an offer only for its event. */
async function readGroups(
  store: Store,
  { orderId, eventId }: LinkedBooking['booking'],
  state: BookingState,
): Promise<BookingGroup[]> {
  const all = await readOrder(store, orderId, state)
  const bookings = state === 'offered' ? all.filter((it) => it.eventId === eventId) : all
  const groups = Map.groupBy(bookings, (it) => (state === 'pending' ? it.eventId : eventId))
  return [...groups.values()].map((group) => ({ state, bookings: group }))
}

/** SQL that tests whether an event has places left for all of a group. */
function hasPlacesFor(
  { organisationId }: Store,
  { bookingType }: LinkedBooking['booking'],
  { bookings }: BookingGroup,
): SQL {
  const eventId = sql`${bookings[0]?.eventId}`
  const places = { eventId, isVolunteer: bookingType === 'volunteer' }
  return hasPlacesLeft(organisationId, places, bookings.length)
}

/** The message that the bookings of some groups are confirmed: about their series if they are for several events. */
function newBookedMailing(
  { booking, event, contact, family }: LinkedBooking,
  groups: readonly BookingGroup[],
): NewMailing | undefined {
  const last = groupByDate({ family }).at(-1)?.[0]?.event ?? event
  if (!last) return undefined
  const bookings = groups.flatMap((group) => group.bookings)
  const isSeries = bookings.some(({ eventId }) => eventId !== booking.eventId)
  return bookedMailing(
    (isSeries && last.parentEventId) || booking.eventId,
    last,
    contact,
    bookings.map(({ id }) => id),
  )
}

/**
 * Gives up the places of a link's bookings, or of the chosen one, or their turn on the waiting list, and offers
 * the places to the next. Throws 409 once the register was taken.
 */
export async function cancelBookings(
  context: MailContext,
  secret: string,
  chosenId?: string,
): Promise<void> {
  const linked = await requireBooking(context.store, secret, chosenId)
  const { booking } = linked
  const live = listCancellable(linked)
  if (live.length === 0 && booking.userStatus === 'cancelled') return
  const isChanged =
    live.length > 0 &&
    live.every((one) => one.booking.orgStatus === '') &&
    (await changeBookings(context.store, {
      bookingIds: live.map(({ bookingId }) => bookingId),
      from: liveStates,
      set: stateOf('cancelled'),
    }))
  if (isChanged) {
    for (const eventId of new Set(live.map((it) => it.booking.eventId)))
      await offerFreePlaces(context, eventId)
    return
  }
  // Another request of the same link may have been faster.
  const latest = await requireBooking(context.store, secret, chosenId)
  if (latest.booking.userStatus !== 'cancelled' || listCancellable(latest).length > 0)
    throw unchangeable()
}

/** The live bookings of a link. Past dates of a series do not change. */
export function listCancellable(linked: LinkedBooking): FamilyBooking[] {
  const live = linked.family.filter(isLive)
  return groupByDate(linked).length > 1
    ? live.filter(({ booking, isOver }) => !isOver && booking.orgStatus === '')
    : live
}

/**
 * Changes the person who comes. Throws 400 with every validation error, 409 if the booking was given
 * up or the register was taken.
 */
export async function changeAttendee(
  { store, mail }: MailContext,
  secret: string,
  input: AttendeeInput,
  chosenId?: string,
): Promise<void> {
  const { bookingId, booking, contact } = await requireBooking(store, secret, chosenId)
  const { eventId } = booking
  const form = parseSignUpForm(await readStoredSignUpForm(store, eventId))
  if (!form) throw noBooking()
  const { attendees, errors } = checkAttendees(form, [input])
  const [attendee] = attendees
  if (!attendee || errors.length > 0) throw invalidInput(errors)
  const { values: answers, questionAnswers, name } = attendee
  const result = await commitAttendee(store, {
    bookingId,
    eventId,
    from: liveStates,
    answers,
    questionAnswers,
    // Without mail, the owner of the link may not be the owner of the contact's address.
    personHash: mail && (await hashPerson([store.organisationId, eventId], contact.email, name)),
    set: personOf(attendee, contact),
  })
  if (result === 'unchangeable') throw unchangeable()
  if (result === 'taken')
    throw invalidInput([
      { field: 'attendees.0', message: 'has another booking for this event.', code: 'not_unique' },
    ])
}

const isLive = ({ booking }: FamilyBooking) => liveStates.includes(booking.userStatus)

async function requireBooking(
  store: Store,
  secret: string,
  chosenId?: string,
): Promise<LinkedBooking> {
  const booking = await readLinkedBooking(store, secret, chosenId)
  if (!booking) throw noBooking()
  return booking
}

const noBooking = () => new PublicError('noBooking')

const unchangeable = () => new PublicError('bookingUnchangeable')
