import type { Context } from 'hono'
import * as z from 'zod'
import { readFormBody } from '../../http/body.ts'
import { ApiError } from '../../model/api-error.ts'
import { formatCount } from '../../platform/pluralise.ts'
import {
  cancelBooking,
  describeOffers,
  givePlace,
  offerPlace,
  withdrawOffer,
} from '../../sign-up/give-places.ts'
import { offerFreePlaces } from '../../sign-up/waiting-list.ts'
import { describeCollection } from '../collection/collection-info.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { redirectWithFlash } from '../ui/notice.tsx'
import { registerPath } from '../ui/paths.ts'
import { currentTab, type RegisterTab, tabQuery } from './tab.ts'

const maxPeople = 100

const WaitingForm = z.object({
  do: z.enum(['give', 'offer', 'withdraw', 'cancel']),
  /** The ids of the bookings of one group. */
  booking: z
    .union([z.string(), z.array(z.string())])
    .transform((ids) => [ids].flat())
    .pipe(z.array(z.string().min(1).max(255)).min(1).max(maxPeople)),
})

/** Gives or offers places to people who wait, takes an offer back, or cancels a booking. */
export async function saveWaiting(c: Context<DashboardEnv>, eventId: string): Promise<Response> {
  const form = WaitingForm.safeParse(await readFormBody(c.req))
  if (!form.success)
    throw new ApiError('BAD_REQUEST', 'Part of the form is missing. Open it again.')
  const { booking: ids, do: action } = form.data
  const [bookingId = ''] = ids
  const { store, mail } = c.var
  const context = { store, mail }
  const tab = action === 'cancel' ? currentTab(c) : 'waiting'
  return showResult(c, eventId, tab, () => {
    if (action === 'cancel') return cancelBooking(context, eventId, ids)
    if (action === 'give') return givePlace(context, eventId, bookingId)
    if (action === 'offer') return offerPlace(context, eventId, bookingId)
    return withdrawOffer(context, eventId, ids)
  })
}

const maxPlaces = 1_000_000

/** Changes the number of places of an event, and offers new ones to the people who have waited longest. */
export async function savePlaces(c: Context<DashboardEnv>, eventId: string): Promise<Response> {
  const { places: text } = await readFormBody(c.req)
  const places = /^\d{1,7}$/.test(String(text).trim()) ? Number(text) : Number.NaN
  return showResult(c, eventId, 'waiting', async () => {
    if (!(places <= maxPlaces))
      throw new ApiError(
        'BAD_REQUEST',
        'Places: type a whole number, such as 18. Nothing was saved.',
      )
    const { resource } = await describeCollection(c, 'events')
    const records = await c.var.openRecords()
    const patch = { bookingDetails: { capacityTotal: places } }
    await records.merge(resource, eventId, patch, {}, resource.related)
    const offered = await offerFreePlaces({ store: c.var.store, mail: c.var.mail }, eventId)
    return [`The event has ${formatCount(places, 'place')}.`, ...describeOffers(offered)].join(' ')
  })
}

/** Leads back to a tab of the register, and says what happened. */
async function showResult(
  c: Context<DashboardEnv>,
  eventId: string,
  tab: RegisterTab,
  run: () => Promise<string>,
) {
  const path = registerPath(c, eventId) + tabQuery(tab)
  try {
    return redirectWithFlash(c, path, { notice: await run() })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return redirectWithFlash(c, path, { notice: error.message })
  }
}
