import { venueLines } from '../model/venue.ts'
import { readSortedRecords } from '../store/read/sorted.ts'
import { findSeries, readDates } from '../store/sign-up/series.ts'
import type { Store } from '../store/store.ts'
import { texts } from '../texts/texts.ts'

/** The properties of an event that the public pages show. */
export type PublicEvent = {
  id: string
  name: string
  tags: readonly string[]
  start: string
  end: string
  description: string
  takesVolunteers: boolean
  isFree: boolean
  price: number | null
  /** The number of places; null for no limit. */
  capacity: number | null
  /** The lines of its address. */
  venue: readonly string[]
  contactEmail: string
  contactPhone: string
}

/** A public event in a list, with the version of its record, which rises with every change. */
type ListedEvent = PublicEvent & { version: number }

/** An event's document; properties without a value may be absent. */
export type EventDocument = {
  eventId: string
  name?: string
  tags?: string[]
  start?: string | null
  end?: string | null
  concluded?: string | null
  bookable?: boolean
  parentEventId?: string | null
  bookingDetails?: {
    description?: string
    capacityTotal?: number | null
    free?: boolean
    price?: number | null
    closed?: boolean
    privateEvent?: boolean
    bookable?: boolean
    bookVolunteers?: boolean
    contactEmail?: string
    contactPhone?: string
  }
  venue?: { name?: string; address?: string; postcode?: string }
}

/** The maximum number of events that one page reads. */
const maxEvents = 250

/**
 * The public events that end after a timestamp, by start, and the end of the last one if
 * another page follows. Of a series with dates, lists the dates only.
 */
export async function listPublicEvents(
  store: Store,
  from = '',
): Promise<{ events: ListedEvent[]; next: string | undefined }> {
  const now = new Date().toISOString()
  const { records, next } = await readSortedRecords(store, 'events', {
    field: 'end',
    descending: false,
    limit: maxEvents,
    after: { value: from > now ? from : now, ordinal: 0 },
  })
  const documents = records.map(({ document, version }) => ({
    event: parseDocument(document),
    version,
  }))
  const open = documents.filter(({ event }) => isPublicEvent(event, now))
  const series = await findSeries(
    store,
    open.map(({ event }) => event.eventId),
  )
  return {
    events: open
      .filter(({ event }) => !series.has(event.eventId))
      .map(({ event, version }) => ({ ...toPublicEvent(event), version }))
      .toSorted((one, other) => one.start.localeCompare(other.start)),
    next: next && String(next.value),
  }
}

const parseDocument = (document: string): EventDocument => JSON.parse(document)

/** Whether an event accepts bookings from everybody, at whatever time it is. */
export function acceptsBookings({ bookable, bookingDetails }: EventDocument): boolean {
  const { bookable: isBookable, closed, privateEvent } = bookingDetails ?? {}
  return Boolean(bookable) && isBookable !== false && !closed && !privateEvent
}

/** Whether an event is public: it accepts bookings, is neither private nor concluded, and ends in the future. */
export const isPublicEvent = (event: EventDocument, now: string): boolean =>
  acceptsBookings(event) && Boolean(event.start) && !isOver(event, now)

/** Whether an event that is a series is public, whenever its own record ends. */
export const isPublicSeries = (series: EventDocument): boolean =>
  acceptsBookings(series) && !series.concluded

/** A series and its public dates by start. */
export type PublicSeries = { series: EventDocument; dates: readonly EventDocument[] }

/** Reads a series with its public dates; undefined for any other event, and for a series that accepts no bookings. */
export async function readPublicSeries(
  store: Store,
  eventId: string,
): Promise<PublicSeries | undefined> {
  const { isSeries, event, dates } = await readDates(store, eventId)
  if (!isSeries || event === undefined) return undefined
  const series = parseDocument(event)
  if (!isPublicSeries(series)) return undefined
  const now = new Date().toISOString()
  return {
    series,
    dates: dates
      .map(({ document }) => parseDocument(document))
      .filter((date) => isPublicEvent(date, now))
      .slice(0, maxEvents),
  }
}

/** Whether an event has ended, or has no end. */
export const isOver = (
  { concluded, end }: Pick<EventDocument, 'concluded' | 'end'>,
  now: string,
): boolean => Boolean(concluded) || (end ?? '') <= now

/** What the public pages show of an event. */
export function toPublicEvent(event: EventDocument): PublicEvent {
  const { eventId, name, tags = [], start, end, bookingDetails = {}, venue } = event
  return {
    id: eventId,
    name: name || texts.event.unnamed,
    tags,
    start: start ?? '',
    end: end ?? '',
    description: bookingDetails.description ?? '',
    takesVolunteers: bookingDetails.bookVolunteers ?? false,
    isFree: bookingDetails.free ?? false,
    price: bookingDetails.price ?? null,
    capacity: bookingDetails.capacityTotal ?? null,
    venue: venueLines(venue),
    contactEmail: bookingDetails.contactEmail ?? '',
    contactPhone: bookingDetails.contactPhone ?? '',
  }
}
