import type { Context } from 'hono'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { PublicActionButton } from '../ui/form.tsx'
import { PublicPage } from '../ui/page.tsx'
import { isLive } from './booking-page.tsx'
import { bookingPath, type OpenBooking } from './open-booking.ts'

/** Renders the page that asks before bookings are cancelled: only its button cancels. */
export function CancelPage({ c, open }: { c: Context<PublicEnv>; open: OpenBooking }) {
  const { family, event } = open.linked
  const live = family.filter(({ booking }) => isLive(booking))
  const names = (live.length > 0 ? live : family).map(({ booking }) => booking.userName)
  return (
    <PublicPage
      site={c.var.site}
      title={texts.booking.cancelTitle(names.length)}
      back={{ path: bookingPath(c.var.site, open), label: texts.booking.back }}
    >
      <h1>{texts.booking.cancelQuestion(names.length)}</h1>
      <p>{texts.booking.cancelEffect(names, event?.name)}</p>
      <PublicActionButton
        action={bookingPath(c.var.site, open, '/cancel')}
        label={texts.booking.cancel(names.length)}
        isPrimary
      />
    </PublicPage>
  )
}
