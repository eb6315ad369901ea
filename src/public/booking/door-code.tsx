import type { Context } from 'hono'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { PublicActionButton } from '../ui/form.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { bookingPath, type OpenBooking } from './open-booking.ts'

type Props = { c: Context<PublicEnv>; open: OpenBooking; label: string }

/** Renders the code that marks a link's bookings as come, and a button for signed-in staff who open the link. */
export function DoorCode({ c, open, label }: Props) {
  const { site } = c.var
  return (
    <section>
      <h2>{texts.booking.atTheDoor}</h2>
      <p>{texts.booking.showCode}</p>
      <QrCode text={new URL(bookingPath(site, open), c.req.url).href} label={label} />
      <PublicActionButton
        action={`/dashboard/${encodeURIComponent(site.organisationId)}/events/scan`}
        hidden={[['link', open.secret]]}
        label={texts.booking.markAsCome}
      />
    </section>
  )
}
