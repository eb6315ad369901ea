import type { PublicEvent } from '../sign-up/public-events.ts'

/** The organisation that holds the events, with the address of its public pages. */
export type Organiser = { name: string; address: string }

/**
 * The properties of a public event by schema.org, which OpenActive shares. The contact for questions stays on the page: data is
 * copied, and its addresses with it.
 */
export function toEventData(event: PublicEvent, organiser: Organiser) {
  const { id, name, description, start, end, venue, isFree, price, capacity } = event
  const [place = '', ...lines] = venue
  const cost = isFree ? 0 : (price ?? undefined)
  return {
    url: eventAddress(id, organiser),
    name,
    description: description || undefined,
    startDate: toSeconds(start),
    endDate: toSeconds(end),
    eventStatus: 'https://schema.org/EventScheduled',
    location: place
      ? { '@type': 'Place', name: place, address: lines.join(', ') || place }
      : undefined,
    organizer: {
      '@type': 'Organization',
      '@id': organiser.address,
      name: organiser.name,
      url: organiser.address,
    },
    offers:
      cost === undefined ? undefined : [{ '@type': 'Offer', price: cost, priceCurrency: 'GBP' }],
    isAccessibleForFree: cost === undefined ? undefined : cost === 0,
    maximumAttendeeCapacity: capacity ?? undefined,
  }
}

export const eventAddress = (eventId: string, { address }: Organiser) =>
  `${address}/events/${encodeURIComponent(eventId)}`

/** A time without milliseconds, which OpenActive does not accept; undefined for none. */
const toSeconds = (timestamp: string) => timestamp.replace(/\.\d+Z$/, 'Z') || undefined
