import type { Context } from 'hono'
import type { SignUpInput, SignUpResult } from '../../sign-up/sign-up.ts'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { PublicPage } from '../ui/page.tsx'
import { assetPath, publicPath } from '../ui/site.ts'
import { ConfirmationPanel } from '../ui/summary.tsx'
import { type OpenSignUp, wouldWait } from './open-form.ts'

type ConfirmationProps = {
  c: Context<PublicEnv>
  /** The form with the places left before the sign-up. */
  open: OpenSignUp
  input: SignUpInput
  result: SignUpResult
}

/** Renders the page after a sign-up. With mail it is the same for everybody, so that it reveals nobody. */
export function ConfirmationPage({ c, open, input, result }: ConfirmationProps) {
  const { site } = c.var
  const { event } = open
  const { outcome, links } = result
  const title = texts.signedUp.titles[outcome]
  return (
    <PublicPage site={site} title={title}>
      <ConfirmationPanel title={title}>
        <p>
          {event.name}, {texts.dates.formatPeriod(event.start, event.end).join(', ')}
        </p>
      </ConfirmationPanel>
      {outcome === 'unconfirmed' && (
        <>
          <p>
            {texts.signedUp.sendingTo(<strong>{input.contact.email}</strong>)}{' '}
            {wouldWait(open, input) ? texts.signedUp.waitingWithLink : texts.signedUp.confirmByLink}
          </p>
          <p>{texts.signedUp.noMessage}</p>
        </>
      )}
      {outcome === 'waiting' && <p>{texts.signedUp.waiting(site.settings.offerHours)}</p>}
      {links.length > 0 && (
        <>
          <p>{texts.signedUp.privateLinks(links.length)}</p>
          <ul>
            {links.map(({ name, secret }) => (
              <li>
                {/* No website can show a booking in a frame. */}
                <a
                  class="link"
                  href={assetPath(site, `/bookings/${secret}`)}
                  target={site.isEmbedded ? '_blank' : undefined}
                >
                  {texts.signedUp.bookingFor(name)}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <a class="link" href={publicPath(site)}>
          {texts.events.all}
        </a>
      </p>
    </PublicPage>
  )
}
