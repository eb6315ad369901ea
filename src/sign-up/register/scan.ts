import { ApiError } from '../../model/api-error.ts'
import { toLondon } from '../../model/timestamp.ts'
import type { WriteParts } from '../../records/write.ts'
import { readBookingsByLink } from '../../store/sign-up/read-booking.ts'
import { hashSecret } from '../link.ts'
import type { EventDocument } from '../public-events.ts'
import { type BookingValues, markOf, recordAttendance, registerEventId } from './attendance.ts'

/** The result of a scanned code in words. `bookingId` is the first booking of the code. */
type ScanResult = { bookingId: string; eventId: string; message: string }

/**
 * Marks the bookings of a scanned link as come that have a place at the event; without `eventId`, at
 * an event of today. Throws 404 for a code of anything else.
 */
export async function markScanned(
  destination: WriteParts,
  link: string,
  eventId?: string,
): Promise<ScanResult> {
  const [secret = ''] = /[0-9a-f]{64}$/.exec(link.trim()) ?? []
  const bookings = await readBookingsByLink(destination.store, await hashSecret(secret), [
    'take-registers',
  ])
  const [first] = bookings
  if (!first) throw unknownCode()
  const sentences: string[] = []
  for (const stored of bookings) {
    const booking: BookingValues = JSON.parse(stored.booking)
    const problem = findProblem(booking, JSON.parse(stored.event ?? '{}'), eventId)
    if (problem === undefined) await recordAttendance(destination, stored.bookingId, { came: true })
    sentences.push(problem ?? `${booking.userName} came.`)
  }
  return {
    bookingId: first.bookingId,
    eventId: registerEventId(JSON.parse(first.booking)),
    message: sentences.join(' '),
  }
}

/** The reason why a scan does not mark a booking. */
function findProblem(
  booking: BookingValues,
  { name = '', start }: EventDocument,
  eventId: string | undefined,
): string | undefined {
  const { userName, userStatus, attending } = booking
  const dayOf = (time: string) => toLondon(time).slice(0, 10)
  if (eventId !== undefined && registerEventId(booking) !== eventId)
    return `${userName} is booked for another event: ${name}.`
  if (eventId === undefined && dayOf(start ?? '') !== dayOf(new Date().toISOString()))
    return `${name} is on another day, so nothing was marked.`
  if (markOf(booking) === 'attended') return `${userName} is marked already.`
  return attending || markOf(booking)
    ? undefined
    : `${userName} has no place: the booking is ${userStatus}. Mark it by hand if there is room.`
}

const unknownCode = () =>
  new ApiError('NOT_FOUND', 'This code belongs to no booking here. Search for the name instead.')
