import type { Context } from 'hono'
import { formatPeriod } from '../../model/dates.ts'
import { pluralise } from '../../platform/pluralise.ts'
import type { SignUpInput, SignUpResult } from '../../sign-up/sign-up.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { PublicPage } from '../ui/page.tsx'
import { assetPath, publicPath } from '../ui/site.ts'
import { ConfirmationPanel } from '../ui/summary.tsx'
import { type OpenForm, wouldWait } from './open-form.ts'

type ConfirmationProps = {
  c: Context<PublicEnv>
  /** The form with the places left before the sign-up. */
  open: OpenForm
  input: SignUpInput
  result: SignUpResult
}

/** Renders the page after a sign-up. With mail it is the same for everybody, so that it reveals nobody. */
export function ConfirmationPage({ c, open, input, result }: ConfirmationProps) {
  const { site } = c.var
  const { event } = open
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
            We are sending a message to <strong>{input.contact.email}</strong>.{' '}
            {wouldWait(open, input)
              ? 'There are not enough places left, so you join the waiting list. Open the link in the message to see or cancel your booking.'
              : 'Open the link in it within 15 minutes to confirm your booking.'}
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
            With your private {pluralise(links.length, 'link')} you can see, change or cancel a
            booking. Save {pluralise(links.length, 'it', 'them')}: this page is shown once.
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
