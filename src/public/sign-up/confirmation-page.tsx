import type { Context } from 'hono'
import type { AttendeeLink } from '../../sign-up/message.ts'
import type { PublicEvent } from '../../sign-up/public-events.ts'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { PublicPage } from '../ui/page.tsx'
import { assetPath, publicPath } from '../ui/site.ts'
import { ConfirmationPanel } from '../ui/summary.tsx'
import type { Sent } from './draft.ts'

type ConfirmationProps = {
  c: Context<PublicEnv>
  event: PublicEvent
  isSeries: boolean
  email: string
  sent: Sent
  /** The private links of the people; none with mail. */
  links: readonly AttendeeLink[]
}

/** Renders the page after a sign-up. With mail it is the same for everybody, so that it reveals nobody. */
export function ConfirmationPage({ c, event, isSeries, email, sent, links }: ConfirmationProps) {
  const { site } = c.var
  const { outcome, isWaiting } = sent
  const title = texts.signedUp.titles[outcome]
  return (
    <PublicPage site={site} title={title}>
      <ConfirmationPanel title={title}>
        <p>
          {isSeries
            ? event.name
            : [event.name, ...texts.dates.formatPeriod(event.start, event.end)].join(', ')}
        </p>
      </ConfirmationPanel>
      {outcome === 'unconfirmed' && (
        <>
          <p>
            {texts.signedUp.sendingTo(<strong>{email}</strong>)}{' '}
            {isWaiting ? texts.signedUp.waitingWithLink : texts.signedUp.confirmByLink}
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
