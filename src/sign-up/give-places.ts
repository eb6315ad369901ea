import { ApiError } from '../model/api-error.ts'
import { formatMoment } from '../model/dates.ts'
import { joinNames } from '../platform/join-names.ts'
import { pluralise } from '../platform/pluralise.ts'
import { areUnmarked, changeBookings } from '../store/sign-up/change-bookings.ts'
import { insertMailing } from '../store/sign-up/mailings.ts'
import type { WaitingBooking } from '../store/sign-up/waiting.ts'
import { bookedMailing } from './booked-mailing.ts'
import { liveStates, stateOf } from './booking.ts'
import type { Contact, MailContext } from './context.ts'
import {
  findGroup,
  hasPlacesFor,
  offerFreePlaces,
  offerPlaces,
  openWaitingList,
} from './waiting-list.ts'

/*
 * What staff do for people who wait. People who signed up together get their places together. Each function
 * returns a sentence about what it did, and throws 409 with the reason why it did nothing.
 */

/** Gives places to the people of a booking and those who wait with it, as if they had accepted an offer. */
export async function givePlace(
  { store, mail }: MailContext,
  eventId: string,
  bookingId: string,
): Promise<string> {
  const { list, group, audience } = await findWaiting(store, eventId, bookingId)
  const contact: Contact = JSON.parse(group[0]?.contact ?? '{}')
  const bookingIds = group.map(({ id }) => id)
  const isGiven = await changeBookings(store, {
    bookingIds,
    from: ['waiting'],
    set: stateOf('confirmed'),
    condition: hasPlacesFor(store, list.event, group, audience),
    others: mail
      ? insertMailing(store, bookedMailing(eventId, list.event, contact, bookingIds))
      : [],
  })
  if (!isGiven) throw noPlaces()
  const message = mail
    ? 'A message is on its way'
    : 'No message was sent, because mail is not set up'
  return `${has(group)} ${places(group)}. ${message}.`
}

/** Offers places to the people of a booking and those who wait with it, and holds them for a limited time. */
export async function offerPlace(
  context: MailContext,
  eventId: string,
  bookingId: string,
): Promise<string> {
  const { list, group, audience } = await findWaiting(context.store, eventId, bookingId)
  if (list.heldUntil === undefined)
    throw new ApiError(
      'CONFLICT',
      'The event has started, so nobody can accept an offer in time. Give the place instead.',
    )
  if (!(await offerPlaces(context, list, group, audience))) throw noPlaces()
  return `${has(group)} an offer until ${formatMoment(list.heldUntil)}.`
}

/** Ends the offer of bookings, as if nobody had accepted it in time, and offers the places to the next. */
export async function withdrawOffer(
  context: MailContext,
  eventId: string,
  bookingIds: readonly string[],
): Promise<string> {
  const isWithdrawn = await changeBookings(context.store, {
    bookingIds,
    from: ['offered'],
    set: stateOf('lapsed'),
  })
  if (!isWithdrawn)
    throw new ApiError('CONFLICT', 'The offer was accepted, or has ended. Look at the list again.')
  const names = await offerFreePlaces(context, eventId)
  return ['The offer was withdrawn.', ...describeOffers(names)].join(' ')
}

/** Cancels a booking that has no mark yet, and offers its place to the next. */
export async function cancelBooking(
  context: MailContext,
  eventId: string,
  bookingIds: readonly string[],
): Promise<string> {
  const isCancelled = await changeBookings(context.store, {
    bookingIds,
    // A booking of another system may have no state.
    from: [...liveStates, ''],
    set: stateOf('cancelled'),
    condition: areUnmarked(context.store, eventId, bookingIds),
  })
  if (!isCancelled)
    throw new ApiError('CONFLICT', 'The booking has a mark, or has ended. Look at it again.')
  const names = await offerFreePlaces(context, eventId)
  return ['The booking is cancelled. No message was sent.', ...describeOffers(names)].join(' ')
}

/** Says who was offered a place. */
export const describeOffers = (names: readonly string[]): string[] =>
  names.length > 0
    ? [`${joinNames(names)} ${pluralise(names.length, 'has', 'have')} an offer now.`]
    : []

async function findWaiting(store: MailContext['store'], eventId: string, bookingId: string) {
  const list = await openWaitingList(store, eventId)
  const found = list && findGroup(list, bookingId)
  if (!found)
    throw new ApiError(
      'CONFLICT',
      'These people no longer wait for a place. Look at the list again.',
    )
  return { list, ...found }
}

const has = (group: readonly WaitingBooking[]) =>
  `${joinNames(group.map(({ name }) => name))} ${pluralise(group.length, 'has', 'have')}`

const places = (group: readonly WaitingBooking[]) => pluralise(group.length, 'a place', 'places')

const noPlaces = () =>
  new ApiError('CONFLICT', 'There are not enough free places. Raise the number of places first.')
