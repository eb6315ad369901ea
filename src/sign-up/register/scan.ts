import { ApiError } from '../../model/api-error.ts'
import { londonDay } from '../../model/timestamp.ts'
import { joinNames } from '../../platform/join-names.ts'
import type { WriteParts } from '../../records/write.ts'
import { readBookingsByLink } from '../../store/sign-up/read-booking.ts'
import { hashSecret } from '../link.ts'
import type { EventDocument } from '../public-events.ts'
import { type BookingValues, markOf, recordAttendance, registerEventId } from './attendance.ts'

/** A booking that a scanned code may mark. */
type ScannedBooking = { bookingId: string; booking: BookingValues; event: EventDocument }

/** The result of a scanned code: in words, and the people who are now marked as come. */
type ScanResult = {
  eventId: string
  message: string
  people: { bookingId: string; name: string }[]
}

/**
 * Marks the bookings of a scanned link as come: of a family's link everybody who has a place and no mark, of a
 * link to one booking also somebody marked as absent. Without `eventId`, only at an event of today. Throws 404
 * for a code of anything else.
 */
export async function markScanned(
  destination: WriteParts,
  link: string,
  eventId?: string,
): Promise<ScanResult> {
  const { secret, chosenId } = parseLink(link)
  const linked = await readBookingsByLink(destination.store, await hashSecret(secret), [
    'take-registers',
  ])
  const bookings = linked
    .filter(({ bookingId }) => chosenId === undefined || bookingId === chosenId)
    .map(
      ({ bookingId, booking, event }): ScannedBooking => ({
        bookingId,
        booking: JSON.parse(booking),
        event: JSON.parse(event ?? '{}'),
      }),
    )
  // The code of a series is for each of its dates.
  const first =
    bookings.find(({ booking, event }) => !findWrongEvent(booking, event, eventId)) ?? bookings[0]
  if (!first) throw unknownCode()
  const { booking: firstBooking, event } = first
  const bookedEventId = registerEventId(firstBooking)
  const wrongEvent = findWrongEvent(firstBooking, event, eventId)
  if (wrongEvent !== undefined) return { eventId: bookedEventId, message: wrongEvent, people: [] }
  const toMark = bookings.filter(
    ({ booking }) =>
      registerEventId(booking) === bookedEventId &&
      (markOf(booking) === undefined
        ? booking.attending
        : bookings.length === 1 && markOf(booking) === 'absent'),
  )
  if (toMark.length === 0)
    return { eventId: bookedEventId, message: describeUnmarked(firstBooking), people: [] }
  return { eventId: bookedEventId, ...(await markAll(destination, toMark)) }
}

/** The secret of a link, and the booking that it chooses from those of a family, if any. */
function parseLink(link: string): { secret: string; chosenId: string | undefined } {
  const [, secret = '', query] = /([0-9a-f]{64})(?:\?(.*))?$/.exec(link.trim()) ?? []
  return { secret, chosenId: new URLSearchParams(query).get('booking') ?? undefined }
}

/** Marks each booking. A refused one does not stop the others. */
async function markAll(destination: WriteParts, bookings: readonly ScannedBooking[]) {
  const people: ScanResult['people'] = []
  const refusals: string[] = []
  for (const { bookingId, booking } of bookings)
    try {
      await recordAttendance(destination, bookingId, { came: true })
      people.push({ bookingId, name: booking.userName })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refusals.push(`${booking.userName} is not marked: ${error.message}`)
    }
  const came = people.length > 0 ? [`${joinNames(people.map(({ name }) => name))} came.`] : []
  return { people, message: [...came, ...refusals].join(' ') }
}

/** Says that a code is for another event; undefined for this one. */
function findWrongEvent(
  booking: BookingValues,
  { name = '', start }: EventDocument,
  eventId: string | undefined,
): string | undefined {
  if (eventId !== undefined && registerEventId(booking) !== eventId)
    return `${booking.userName} is booked for another event: ${name}.`
  return eventId === undefined && londonDay(start ?? '') !== londonDay(Date.now())
    ? `${name} is on another day, so nothing was marked.`
    : undefined
}

/** Says why a scan marks nobody. */
const describeUnmarked = (booking: BookingValues): string =>
  markOf(booking)
    ? `${booking.userName} is marked already.`
    : `${booking.userName} has no place: the booking is ${booking.userStatus}. Mark it by hand if there is room.`

const unknownCode = () =>
  new ApiError('NOT_FOUND', 'This code belongs to no booking here. Search for the name instead.')
