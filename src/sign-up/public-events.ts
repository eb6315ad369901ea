import { readSingle } from '../store/read/single.ts'
import { readSortedRecords } from '../store/read/sorted.ts'
import type { Store } from '../store/store.ts'

/** The properties of an event that the public pages show. */
export type PublicEvent = {
  id: string
  name: string
  tags: readonly string[]
  start: string
  end: string
  description: string
  /** The maximum number of people; null for no limit. */
  capacity: number | null
  takesVolunteers: boolean
  /** The maximum number of volunteers; null for no limit. */
  volunteerCapacity: number | null
  isFree: boolean
  price: number | null
  venue: readonly string[]
  contactEmail: string
  contactPhone: string
  /** The version of the record: it rises with every change. */
  version: number
}

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
    volunteerCapacityTotal?: number | null
    contactEmail?: string
    contactPhone?: string
  }
  venue?: { name?: string; address?: string; postcode?: string }
}

/** The maximum number of events that one page reads. */
const maxEvents = 250

/**
 * Returns the public events that end after a timestamp, by start, and the end from which the next
 * page continues, if there is one. Leaves out a series whose occurrences are on the page.
 */
export async function listPublicEvents(
  store: Store,
  now: string,
  from: string = now,
): Promise<{ events: PublicEvent[]; next: string | undefined }> {
  const { records, next } = await readSortedRecords(store, 'events', {
    ...{ field: 'end', descending: false, limit: maxEvents },
    after: { value: from > now ? from : now, ordinal: 0 },
  })
  const documents = records.map(({ document, version }) => ({
    event: parseDocument(document),
    version,
  }))
  const open = documents.filter(({ event }) => isPublicEvent(event, now))
  const series = new Set(open.map(({ event }) => event.parentEventId))
  return {
    events: open
      .filter(({ event }) => !series.has(event.eventId))
      .map(({ event, version }) => toPublicEvent(event, version))
      .toSorted((one, other) => one.start.localeCompare(other.start)),
    next: next && String(next.value),
  }
}

/** Returns a public event; undefined if it does not exist or is not public. */
export async function readPublicEvent(
  store: Store,
  id: string,
  now: string,
): Promise<PublicEvent | undefined> {
  const { record } = await readSingle(store, { collection: 'events', id })
  const event = record && parseDocument(record.document)
  return event && isPublicEvent(event, now) ? toPublicEvent(event, record.version) : undefined
}

const parseDocument = (document: string): EventDocument => JSON.parse(document)

/** Returns whether an event is public: it accepts bookings, is neither private nor concluded, and ends in the future. */
export function isPublicEvent(
  { bookable, concluded, start, end, bookingDetails }: EventDocument,
  now: string,
): boolean {
  const { bookable: isBookable, closed, privateEvent } = bookingDetails ?? {}
  const acceptsBookings = bookable && isBookable !== false && !closed && !privateEvent
  return Boolean(acceptsBookings && !concluded && start) && (end ?? '') > now
}

/** Returns what the public pages show of an event. */
function toPublicEvent(event: EventDocument, version: number): PublicEvent {
  const { eventId, name, tags = [], start, end, bookingDetails = {}, venue = {} } = event
  return {
    id: eventId,
    name: name || 'Event',
    tags,
    start: start ?? '',
    end: end ?? '',
    description: bookingDetails.description ?? '',
    capacity: bookingDetails.capacityTotal ?? null,
    takesVolunteers: bookingDetails.bookVolunteers ?? false,
    volunteerCapacity: bookingDetails.volunteerCapacityTotal ?? null,
    isFree: bookingDetails.free ?? false,
    price: bookingDetails.price ?? null,
    venue: [venue.name, venue.address, venue.postcode].flatMap((line) => line || []),
    contactEmail: bookingDetails.contactEmail ?? '',
    contactPhone: bookingDetails.contactPhone ?? '',
    version,
  }
}
