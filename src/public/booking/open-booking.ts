import type { Context } from 'hono'
import { type LinkedBooking, readLinkedBooking } from '../../sign-up/booking-link.ts'
import { PublicError } from '../../sign-up/public-error.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { assetPath, type PublicSite } from '../ui/site.ts'

/** A booking with the secret of the private link that leads to it. `chosenId` is set for one that was chosen from a family's. */
export type OpenBooking = { linked: LinkedBooking; secret: string; chosenId: string | undefined }

/** The parameter of an address that chooses a booking from those of a family's link. */
const chosenName = 'booking'

/** The id of the booking that an address chooses. */
export const chosenBooking = (c: Context<PublicEnv>) => c.req.query(chosenName)

/** Reads the booking of a private link. Throws 404 for an unknown secret. */
export async function openBooking(c: Context<PublicEnv, '/:secret'>): Promise<OpenBooking> {
  const secret = c.req.param('secret')
  const chosenId = chosenBooking(c)
  const linked = await readLinkedBooking(c.var.store, secret, chosenId)
  if (!linked) throw new PublicError('noBooking')
  return { linked, secret, chosenId }
}

/** The path of a booking's page, or of a page below it. */
export function bookingPath(
  site: PublicSite,
  { secret, chosenId }: Pick<OpenBooking, 'secret' | 'chosenId'>,
  page = '',
): string {
  const query = chosenId === undefined ? '' : `?${new URLSearchParams({ [chosenName]: chosenId })}`
  return assetPath(site, `/bookings/${secret}${page}${query}`)
}
