import { sql } from 'drizzle-orm/sql'
import { changeBookings } from '../store/sign-up/change-bookings.ts'
import { type EventPlaces, hasFreePlaces, type Places } from '../store/sign-up/places.ts'
import { readWaitingList, type WaitingBooking } from '../store/sign-up/waiting.ts'
import type { Store } from '../store/store.ts'
import { stateOf } from './booking.ts'
import type { Contact, MailContext } from './context.ts'
import { hashSecret, randomSecret } from './link.ts'
import { offerLetter } from './message.ts'
import type { EventDocument } from './public-events.ts'
import { PublicPages } from './public-pages.ts'
import { sendMail } from './send-mail.ts'

const hourMs = 3_600_000

/** The waiting list of an event, and how long an offer of a place holds now. */
export type WaitingList = {
  event: EventDocument
  organisationName: string
  /** The address for questions. */
  contactEmail: string | undefined
  places: EventPlaces
  waiting: Record<keyof EventPlaces, WaitingBooking[]>
  /** The time when an offer that is made now ends; undefined if nobody can accept one. */
  heldUntil: string | undefined
}

const audiences = ['participants', 'volunteers'] as const

/** Reads the waiting list of an event; undefined if the event was deleted. */
export async function openWaitingList(
  store: Store,
  eventId: string,
): Promise<WaitingList | undefined> {
  const { event: document, settings, ...list } = await readWaitingList(store, eventId)
  if (document === undefined) return undefined
  const event: EventDocument = JSON.parse(document)
  const { offerHours, contactEmail } = PublicPages.parse(JSON.parse(settings))
  const offerEnd = Math.min(Date.now() + offerHours * hourMs, Date.parse(event.start ?? ''))
  const isOpen = offerEnd > Date.now() && !event.concluded
  const heldUntil = isOpen ? new Date(offerEnd).toISOString() : undefined
  return { ...list, event, contactEmail, heldUntil }
}

/**
 * Offers the free places of an event to the people who have waited longest, and holds them for a
 * limited time. A group that is too large for the free places lets smaller ones pass. Returns the names.
 */
export async function offerFreePlaces(context: MailContext, eventId: string): Promise<string[]> {
  const list = await openWaitingList(context.store, eventId)
  if (!list) return []
  const names: string[] = []
  for (const audience of audiences)
    for (const group of groupsThatFit(list.waiting[audience], list.places[audience]))
      if (await offerPlaces(context, list, group, audience))
        names.push(...group.map(({ name }) => name))
  return names
}

/** Offers places to a group that waits, and writes to its contact. Returns whether there were places. */
export async function offerPlaces(
  context: MailContext,
  { event, organisationName, contactEmail, heldUntil }: WaitingList,
  group: readonly WaitingBooking[],
  audience: keyof EventPlaces,
): Promise<boolean> {
  if (heldUntil === undefined) return false
  const { organisationId } = context.store
  const people = group.map(({ id, name }) => ({ id, name, secret: randomSecret() }))
  const links = people.map(async ({ id, secret }) => ({
    bookingId: id,
    hash: await hashSecret(secret),
  }))
  const isOffered = await changeBookings(context.store, {
    bookingIds: group.map(({ id }) => id),
    from: ['waiting'],
    set: stateOf('offered'),
    heldUntil,
    condition: hasPlacesFor(context.store, event, group, audience),
    links: await Promise.all(links),
  })
  const contact: Contact = JSON.parse(group[0]?.contact ?? '{}')
  const about = { event, organisationId, organisationName }
  if (isOffered) {
    const addresses = { to: contact.email, replyTo: contactEmail }
    await sendMail(context, addresses, offerLetter(about, contact.origin, people, heldUntil))
  }
  return isOffered
}

/** SQL that tests whether an event has free places for a group. */
export const hasPlacesFor = (
  { organisationId }: Store,
  { eventId }: EventDocument,
  group: readonly WaitingBooking[],
  audience: keyof EventPlaces,
) =>
  hasFreePlaces(
    organisationId,
    { eventId: sql`${eventId}`, isVolunteer: audience === 'volunteers' },
    group.length,
  )

/** The group on the waiting list to which a booking belongs; undefined if it does not wait. */
export function findGroup({ waiting }: WaitingList, bookingId: string) {
  for (const audience of audiences) {
    const groups = [...Map.groupBy(waiting[audience], ({ orderId }) => orderId).values()]
    const group = groups.find((bookings) => bookings.some(({ id }) => id === bookingId))
    if (group) return { group, audience }
  }
  return undefined
}

/** The waiting groups that fit into the free places together, in order. */
function groupsThatFit(waiting: readonly WaitingBooking[], { capacity, held }: Places) {
  let free = capacity === null ? Number.POSITIVE_INFINITY : capacity - held
  return [...Map.groupBy(waiting, ({ orderId }) => orderId).values()].filter((group) => {
    if (group.length > free) return false
    free -= group.length
    return true
  })
}
