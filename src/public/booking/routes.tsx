import type { Context } from 'hono'
import { Hono } from '../../http/hono.ts'
import {
  acceptOffer,
  cancelBookings,
  confirmAddress,
  groupByDate,
} from '../../sign-up/booking-link.ts'
import { PublicError } from '../../sign-up/public-error.ts'
import { toPublicEvent } from '../../sign-up/public-events.ts'
import { readSingle } from '../../store/read/single.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { buildCalendar } from '../events/calendar.ts'
import { buildUid, calendarHeaders, describeEvent } from '../events/calendar-file.ts'
import { BookingPage } from './booking-page.tsx'
import { CancelPage } from './cancel-page.tsx'
import { renderChangePage, saveChange } from './change-page.tsx'
import { FamilyPage } from './family-page.tsx'
import { bookingPath, chosenBooking, openBooking } from './open-booking.ts'

/** The pages behind the private link of a booking. No website can show them in a frame. */
export const bookingRoutes = new Hono<PublicEnv>()
  .use(async (c, next) => {
    c.set('site', { ...c.var.site, isEmbedded: false })
    await next()
    c.header('X-Robots-Tag', 'noindex')
  })
  .get('/:secret', async (c) => {
    const open = await openBooking(c)
    return c.html(
      open.linked.family.length > 1 ? (
        <FamilyPage c={c} open={open} />
      ) : (
        <BookingPage c={c} open={open} />
      ),
    )
  })
  // A message's links are opened by scanners too, so only a button confirms or cancels.
  .post('/:secret/confirm', async (c) => {
    await confirmAddress(c.var.signUpContext, c.req.param('secret'), chosenBooking(c))
    return redirectToBooking(c)
  })
  .post('/:secret/accept', async (c) => {
    await acceptOffer(c.var.signUpContext, c.req.param('secret'), chosenBooking(c))
    return redirectToBooking(c)
  })
  .get('/:secret/cancel', async (c) => c.html(<CancelPage c={c} open={await openBooking(c)} />))
  .post('/:secret/cancel', async (c) => {
    await cancelBookings(c.var.signUpContext, c.req.param('secret'), chosenBooking(c))
    return redirectToBooking(c)
  })
  .get('/:secret/change', renderChangePage)
  .post('/:secret/change', saveChange)
  .get('/:secret/calendar.ics', async (c) => {
    const { site, store, signUpContext } = c.var
    const open = await openBooking(c)
    const { origin } = signUpContext
    const bookings = groupByDate(open.linked).flatMap(([first]) => first ?? [])
    const entries = await Promise.all(
      bookings.map(async ({ booking, bookingId, event, sequence }) => {
        if (!event) return []
        const { record } = await readSingle(store, { collection: 'events', id: booking.eventId })
        return {
          uid: buildUid(bookingId, site, origin),
          // Both rise: the first with changes of the booking, the second with those of the event.
          sequence: sequence + (record?.version ?? 0),
          ...describeEvent(toPublicEvent(event), site, origin),
          url: origin + bookingPath(site, open),
          isCancelled: !booking.attending,
        }
      }),
    )
    const [entry] = entries.flat()
    if (!entry) throw new PublicError('eventRemoved')
    const calendar = buildCalendar(entry.summary, entries.flat(), new Date().toISOString())
    return c.body(calendar, 200, calendarHeaders('booking'))
  })

/** Shows the link's bookings again: a family sees all of them. */
const redirectToBooking = (c: Context<PublicEnv, '/:secret'>) =>
  c.redirect(bookingPath(c.var.site, { secret: c.req.param('secret'), chosenId: undefined }), 303)
