import type { Context } from 'hono'
import type { PublicEvent } from '../../sign-up/public-events.ts'
import type { SignUpResult } from '../../sign-up/sign-up.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { formatPeriod } from '../ui/dates.ts'
import { PublicPage } from '../ui/page.tsx'
import { assetPath, publicPath } from '../ui/site.ts'
import { ConfirmationPanel } from '../ui/summary.tsx'

type ConfirmationProps = {
  c: Context<PublicEnv>
  event: PublicEvent
  contact: { email: string }
  result: SignUpResult
}

/** Renders the page after a sign-up. With mail it is the same for everybody, so that it reveals nobody. */
export function ConfirmationPage({ c, event, contact, result }: ConfirmationProps) {
  const { site } = c.var
  const { outcome, links } = result
  const title = titles[outcome]
  return (
    <PublicPage site={site} title={title}>
      <ConfirmationPanel title={title}>
        <p>
          {event.name}, {formatPeriod(event.start, event.end).join(', ')}
        </p>
      </ConfirmationPanel>
      {outcome === 'unconfirmed' && (
        <>
          <p>
            We have sent a message to <strong>{contact.email}</strong>. Open the link in it to see
            and confirm your booking. Places are held for 15 minutes.
          </p>
          <p>No message? Look in the spam folder, or sign up again with the right address.</p>
        </>
      )}
      {outcome === 'waiting' && (
        <p>
          All places are taken. Open your link again later: if a place falls free for you, it is
          offered there, and held for {site.settings.offerHours} hours.
        </p>
      )}
      {links.length > 0 && (
        <>
          <p>
            With your private {links.length === 1 ? 'link' : 'links'} you can see, change or cancel
            a booking. Save {links.length === 1 ? 'it' : 'them'}: this page is shown once.
          </p>
          <ul>
            {links.map(({ name, secret }) => (
              <li>
                {/* No website can show a booking in a frame. */}
                <a
                  class="link"
                  href={assetPath(site, `/bookings/${secret}`)}
                  target={site.isEmbedded ? '_blank' : undefined}
                >
                  Booking for {name}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <a class="link" href={publicPath(site)}>
          All events
        </a>
      </p>
    </PublicPage>
  )
}

const titles = {
  unconfirmed: 'Check your inbox',
  confirmed: 'You are signed up',
  waiting: 'You are on the waiting list',
} as const
