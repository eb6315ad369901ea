import type { MailingBooking } from '../../store/sign-up/mailing-bookings.ts'

/** The people whom a message about an event is for. */
export const audiences = ['booked', 'waiting', 'came'] as const

export type Audience = (typeof audiences)[number]

/**
 * The audience that a booking belongs to; undefined for one that was given up, and for one whose address nobody has
 * confirmed. Who has an offer of a place still waits.
 */
export function audienceOf({
  document,
  isWaiting,
}: Pick<MailingBooking, 'document' | 'isWaiting'>): Audience | undefined {
  const { orgStatus, userStatus, attending } = JSON.parse(document)
  if (orgStatus === 'attended') return 'came'
  if (isWaiting || (attending && userStatus === 'offered')) return 'waiting'
  return attending && userStatus !== 'unconfirmed' ? 'booked' : undefined
}
