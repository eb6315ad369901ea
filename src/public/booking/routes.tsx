import { Hono } from 'hono'
import { acceptOffer, cancelBooking, confirmAddress } from '../../sign-up/booking-link.ts'
import { PublicError } from '../../sign-up/public-error.ts'
import { toPublicEvent } from '../../sign-up/public-events.ts'
import { readSingle } from '../../store/read/single.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { buildCalendar } from '../events/calendar.ts'
import { buildUid, calendarHeaders, describeEvent } from '../events/calendar-file.ts'
import { BookingPage, CancelPage } from './booking-page.tsx'
import { renderChangePage, saveChange } from './change-page.tsx'
import { bookingPath, openBooking } from './open-booking.ts'

/** The pages behind the private link of a booking. No website can show them in a frame. */
export const bookingRoutes = new Hono<PublicEnv>()
  .use(async (c, next) => {
    c.set('site', { ...c.var.site, isEmbedded: false })
    await next()
    c.header('X-Robots-Tag', 'noindex')
  })
  .get('/:secret', async (c) => {
    const open = await openBooking(c.var.store, c.req.param('secret'))
    return c.html(<BookingPage c={c} open={open} />)
  })
  // A message's links are opened by scanners too, so only a button confirms.
  .post('/:secret/confirm', async (c) => {
    await confirmAddress(c.var.signUpContext, c.req.param('secret'))
    return c.redirect(bookingPath(c.var.site, c.req.param('secret')), 303)
  })
  .post('/:secret/accept', async (c) => {
    await acceptOffer(c.var.signUpContext, c.req.param('secret'))
    return c.redirect(bookingPath(c.var.site, c.req.param('secret')), 303)
  })
  .get('/:secret/cancel', async (c) => {
    const open = await openBooking(c.var.store, c.req.param('secret'))
    return c.html(<CancelPage c={c} open={open} />)
  })
  .post('/:secret/cancel', async (c) => {
    await cancelBooking(c.var.signUpContext, c.req.param('secret'))
    return c.redirect(bookingPath(c.var.site, c.req.param('secret')), 303)
  })
  .get('/:secret/change', renderChangePage)
  .post('/:secret/change', saveChange)
  .get('/:secret/calendar.ics', async (c) => {
    const { site, store, signUpContext } = c.var
    const { linked, secret } = await openBooking(store, c.req.param('secret'))
    const { booking, bookingId, event, sequence } = linked
    if (!event) throw new PublicError('eventRemoved')
    const { record } = await readSingle(store, { collection: 'events', id: booking.eventId })
    const { origin } = signUpContext
    const now = new Date().toISOString()
    const shown = toPublicEvent(event)
    const entry = {
      uid: buildUid(bookingId, site, origin),
      // Both rise: the first with changes of the booking, the second with those of the event.
      sequence: sequence + (record?.version ?? 0),
      ...describeEvent(shown, site, origin),
      url: origin + bookingPath(site, secret),
      isCancelled: !booking.attending,
    }
    return c.body(buildCalendar(shown.name, [entry], now), 200, calendarHeaders('booking'))
  })
