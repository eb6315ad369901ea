import { sql } from 'drizzle-orm/sql'
import { changeBookings } from '../store/sign-up/change-bookings.ts'
import { hasFreePlaces, type Places } from '../store/sign-up/places.ts'
import { readWaitingList, type WaitingBooking } from '../store/sign-up/waiting.ts'
import { stateOf } from './booking.ts'
import type { Contact, MailContext } from './context.ts'
import { hashSecret, randomSecret } from './link.ts'
import { offerLetter } from './message.ts'
import type { EventDocument } from './public-events.ts'
import { PublicPages } from './public-pages.ts'
import { sendMail } from './send-mail.ts'

const hourMs = 3_600_000

/**
 * Offers the free places of an event to the people who have waited longest, and holds them for a
 * limited time. A group that is too large for the free places lets smaller ones pass.
 */
export async function offerFreePlaces(context: MailContext, eventId: string): Promise<void> {
  const list = await readWaitingList(context.store, eventId)
  const event: EventDocument | undefined = list.event && JSON.parse(list.event)
  if (!event) return
  const start = Date.parse(event.start ?? '')
  const { offerHours } = PublicPages.parse(JSON.parse(list.settings))
  const offerEnd = Math.min(Date.now() + offerHours * hourMs, start)
  if (!(offerEnd > Date.now()) || event.concluded) return
  const heldUntil = new Date(offerEnd).toISOString()
  const about = {
    event,
    organisationId: context.store.organisationId,
    organisationName: list.organisationName,
  }
  for (const audience of ['participants', 'volunteers'] as const) {
    const isVolunteer = audience === 'volunteers'
    for (const group of groupsThatFit(list.waiting[audience], list.places[audience])) {
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
        condition: hasFreePlaces(
          ...([
            about.organisationId,
            { eventId: sql`${eventId}`, isVolunteer },
            group.length,
          ] as const),
        ),
        links: await Promise.all(links),
      })
      const contact: Contact = JSON.parse(group[0]?.contact ?? '{}')
      if (isOffered)
        await sendMail(
          context,
          contact.email,
          offerLetter(about, contact.origin, people, heldUntil),
        )
    }
  }
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
