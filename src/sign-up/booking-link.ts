import { type SQL, sql } from 'drizzle-orm/sql'
import { invalidInput } from '../model/api-error.ts'
import type { Values } from '../model/properties/schema.ts'
import { commitAttendee } from '../store/sign-up/change-attendee.ts'
import { changeBookings } from '../store/sign-up/change-bookings.ts'
import { insertMailing } from '../store/sign-up/mailings.ts'
import { hasPlacesLeft } from '../store/sign-up/places.ts'
import { readBookingsByLink, readOrder } from '../store/sign-up/read-booking.ts'
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
  /** All bookings of a family's link, with this one; only this one for a link to one booking, or if one of the family was chosen. */
  family: FamilyBooking[]
}

export type FamilyBooking = { bookingId: string; booking: LinkedBooking['booking'] }

/**
 * Reads the booking that a link's secret leads to; of a family's link the chosen one, or the first. Undefined for an
 * unknown secret, and for a booking that the link does not lead to.
 */
export async function readLinkedBooking(
  store: Store,
  secret: string,
  chosenId?: string,
): Promise<LinkedBooking | undefined> {
  if (!secretPattern.test(secret)) return undefined
  const bookings = await readBookingsByLink(store, await hashSecret(secret))
  const led = bookings.filter(({ bookingId }) => chosenId === undefined || bookingId === chosenId)
  const [stored] = led
  if (!stored) return undefined
  const event: EventDocument | undefined =
    stored.event === null ? undefined : JSON.parse(stored.event)
  return {
    bookingId: stored.bookingId,
    booking: JSON.parse(stored.booking),
    contact: JSON.parse(stored.contact),
    sequence: stored.sequence,
    event,
    isOver: event === undefined || isOver(event, new Date().toISOString()),
    values: JSON.parse(stored.answers),
    questionAnswers: JSON.parse(stored.questionAnswers),
    heldUntil: stored.heldUntil ?? undefined,
    family: led.map(({ bookingId, booking }) => ({ bookingId, booking: JSON.parse(booking) })),
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

/** Confirms all bookings of the sign-up that are in the state of this one. Confirming twice changes nothing. */
async function keepPlaces(
  context: MailContext,
  states: BookingState[],
  secret: string,
  chosenId: string | undefined,
) {
  const { store } = context
  const linked = await requireBooking(store, secret, chosenId)
  const { booking, isOver } = linked
  if (booking.userStatus === 'confirmed') return
  if (isOver) throw new PublicError('eventOver')
  if (states.includes(booking.userStatus) && (await confirm(context, linked))) return
  // Another request with a link of this sign-up may have been faster.
  const { booking: latest } = await requireBooking(store, secret, chosenId)
  const kept: BookingState[] =
    booking.userStatus === 'pending' ? ['confirmed', 'waiting'] : ['confirmed']
  if (!kept.includes(latest.userStatus)) throw new PublicError('placeLost')
}

/**
 * Confirms the bookings of a sign-up that are in the state of this one. Without a place, they take those
 * that are left, or wait. Returns whether they were in this state.
 */
async function confirm({ store, mail }: MailContext, linked: LinkedBooking): Promise<boolean> {
  const { event, contact } = linked
  const { userStatus: from, orderId, eventId, bookingType } = linked.booking
  const bookingIds = await readOrder(store, orderId, from)
  const move = (to: BookingState, condition?: SQL) =>
    changeBookings(store, {
      bookingIds,
      from: [from],
      set: stateOf(to),
      condition,
      others:
        mail && event && to === 'confirmed'
          ? insertMailing(store, bookedMailing(eventId, event, contact, bookingIds))
          : [],
    })
  if (from !== 'pending') return move('confirmed')
  const audience = { eventId: sql`${eventId}`, isVolunteer: bookingType === 'volunteer' }
  const hasPlaces = hasPlacesLeft(store.organisationId, audience, bookingIds.length)
  return (await move('confirmed', hasPlaces)) || move('waiting')
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
  const { booking, family } = await requireBooking(context.store, secret, chosenId)
  const live = family.filter(isLive)
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
    await offerFreePlaces(context, booking.eventId)
    return
  }
  // Another request of the same link may have been faster.
  const { booking: latest, family: others } = await requireBooking(context.store, secret, chosenId)
  if (latest.userStatus !== 'cancelled' || others.some(isLive)) throw unchangeable()
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
