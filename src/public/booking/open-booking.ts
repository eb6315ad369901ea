import type { Context } from 'hono'
import { type LinkedBooking, readLinkedBooking } from '../../sign-up/booking-link.ts'
import { PublicError } from '../../sign-up/public-error.ts'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { assetPath, type PublicSite, publicPath } from '../ui/site.ts'

/** A booking with the secret of the private link that leads to it. `chosenId` is set for one that was chosen from several, or the event of those for one date. */
export type OpenBooking = { linked: LinkedBooking; secret: string; chosenId: string | undefined }

/** The parameter of an address that chooses a booking from those of a link, or those for one event. */
const chosenName = 'booking'

/** The id of the booking or event that an address chooses. */
export const chosenBooking = (c: Context<PublicEnv>) => c.req.query(chosenName)

/** Reads the booking of a private link. Throws 404 for an unknown secret. */
export async function openBooking(c: Context<PublicEnv, '/:secret'>): Promise<OpenBooking> {
  const secret = c.req.param('secret')
  const chosenId = chosenBooking(c)
  const linked = await readLinkedBooking(c.var.store, secret, chosenId)
  if (!linked) throw new PublicError('noBooking')
  return { linked, secret, chosenId }
}

/** Where the page of a booking leads back to: all bookings of the link, or the events. */
export const backTo = (site: PublicSite, { secret, chosenId }: OpenBooking) =>
  chosenId === undefined
    ? { path: publicPath(site), label: texts.events.all }
    : {
        path: bookingPath(site, { secret, chosenId: undefined }),
        label: texts.booking.backToFamily,
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
