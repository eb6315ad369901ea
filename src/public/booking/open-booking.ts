import { type LinkedBooking, readLinkedBooking } from '../../sign-up/booking-link.ts'
import { PublicError } from '../../sign-up/public-error.ts'
import type { Store } from '../../store/store.ts'
import { assetPath, type PublicSite } from '../ui/site.ts'

/** A booking with the secret of the private link that leads to it. */
export type OpenBooking = { linked: LinkedBooking; secret: string }

/** Reads the booking of a private link. Throws 404 for an unknown secret. */
export async function openBooking(store: Store, secret: string): Promise<OpenBooking> {
  const linked = await readLinkedBooking(store, secret)
  if (!linked) throw new PublicError('noBooking')
  return { linked, secret }
}

export const bookingPath = (site: PublicSite, secret: string) =>
  assetPath(site, `/bookings/${secret}`)
