import type { Context } from 'hono'
import { listCancellable } from '../../sign-up/booking-link.ts'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { PublicActionButton } from '../ui/form.tsx'
import { PublicPage } from '../ui/page.tsx'
import { bookingPath, type OpenBooking } from './open-booking.ts'

/** Renders the page that asks before bookings are cancelled: only its button cancels. */
export function CancelPage({ c, open }: { c: Context<PublicEnv>; open: OpenBooking }) {
  const { family, event } = open.linked
  const live = listCancellable(open.linked)
  const bookings = live.length > 0 ? live : family
  const count = bookings.length
  const dates = new Set(bookings.map(({ booking }) => booking.eventId)).size
  const names = [...new Set(bookings.map(({ booking }) => booking.userName))]
  return (
    <PublicPage
      site={c.var.site}
      title={texts.booking.cancelQuestion(count)}
      back={{ path: bookingPath(c.var.site, open), label: texts.booking.back }}
    >
      <h1>{texts.booking.cancelQuestion(count)}</h1>
      <p>{texts.booking.cancelEffect(names, event?.name, dates)}</p>
      <PublicActionButton
        action={bookingPath(c.var.site, open, '/cancel')}
        label={texts.booking.cancel(count)}
        isPrimary
      />
    </PublicPage>
  )
}
