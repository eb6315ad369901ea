import { toLondon } from '../model/timestamp.ts'
import type { Attendee } from './attendees.ts'
import type { EventDocument } from './public-events.ts'

/** The states of a booking from the public pages, in `userStatus`, and whether each holds a place, which `attending` says too. */
export const bookingStates = {
  /** Has a place until the contact confirms their address by the link in a message. */
  unconfirmed: true,
  /** Waits for the address to be confirmed, and has no place: too many unconfirmed bookings held one. */
  pending: false,
  confirmed: true,
  /** On the waiting list. */
  waiting: false,
  /** Has a place for a limited time, after waiting, until the contact accepts it. */
  offered: true,
  cancelled: false,
  /** Lost its place, because nobody confirmed or accepted it in time. */
  lapsed: false,
} as const

export type BookingState = keyof typeof bookingStates

/** The states of bookings that have a place, or may still get one. */
export const liveStates: BookingState[] = [
  'unconfirmed',
  'pending',
  'confirmed',
  'offered',
  'waiting',
]

/** The properties of a booking that say its state. */
export const stateOf = (userStatus: BookingState) => ({
  userStatus,
  attending: bookingStates[userStatus],
})

/** The properties of a booking that identify the person who comes. */
export const personOf = ({ name, email }: Attendee, contact: { name: string; email: string }) => ({
  userName: name,
  userEmail: email || (name === contact.name ? contact.email : ''),
})

/** A new booking without its state. */
export function newBooking(
  organisationId: string,
  event: EventDocument,
  booking: { bookingId: string; orderId: string; isVolunteer: boolean },
) {
  const now = new Date().toISOString()
  const { start = null, end = start } = event
  const minutes = (Date.parse(end ?? '') - Date.parse(start ?? '')) / 60_000
  return {
    bookingId: booking.bookingId,
    managedBy: organisationId,
    eventId: event.eventId,
    memberId: '',
    date: toLondon(start ?? '').slice(0, 10),
    funderMemberId: null,
    slotId: null,
    ticketId: null,
    ticketName: null,
    ticketSeries: null,
    funderProgrammeId: null,
    orderId: booking.orderId,
    childEventId: null,
    name: event.name ?? '',
    type: 'event',
    user: '',
    orgStatus: '',
    bookingType: booking.isVolunteer ? 'volunteer' : 'individual',
    booker: '',
    created: now,
    updated: now,
    start,
    end,
    duration: Number.isFinite(minutes) ? minutes : 0,
    customPrice: null,
  }
}
