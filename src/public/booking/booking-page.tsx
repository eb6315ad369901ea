import type { Context } from 'hono'
import type { BookingState } from '../../sign-up/booking.ts'
import { toPublicEvent } from '../../sign-up/public-events.ts'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { EventFacts } from '../events/facts.tsx'
import { PublicActionButton } from '../ui/form.tsx'
import { PublicPage } from '../ui/page.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { eventPath, publicPath } from '../ui/site.ts'
import { ConfirmationPanel } from '../ui/summary.tsx'
import { bookingPath, type OpenBooking } from './open-booking.ts'

type BookingProps = { c: Context<PublicEnv>; open: OpenBooking }

/** Renders a booking for the owner of its private link, with the actions of its state. */
export function BookingPage({ c, open }: BookingProps) {
  const { site } = c.var
  const { linked, secret } = open
  const { booking, event: document } = linked
  const event = document && toPublicEvent(document)
  const { title, text } = describeState(open)
  const isLive =
    booking.orgStatus === '' && !endStates.includes(booking.userStatus) && !isMissed(linked)
  const isUnconfirmed = booking.userStatus === 'unconfirmed' || booking.userStatus === 'pending'
  const path = bookingPath(site, secret)
  return (
    <PublicPage
      site={site}
      title={title}
      back={{ path: publicPath(site), label: texts.events.all }}
    >
      <ConfirmationPanel title={title}>
        <p>
          {booking.userName}
          {event && `, ${event.name}`}
        </p>
      </ConfirmationPanel>
      <div class="split">
        <div>
          <p>{text}</p>
          {isLive && isUnconfirmed && (
            <PublicActionButton
              action={`${path}/confirm`}
              label={texts.booking.confirm}
              isPrimary
            />
          )}
          {isLive && booking.userStatus === 'offered' && (
            <PublicActionButton action={`${path}/accept`} label={texts.booking.accept} isPrimary />
          )}
          {isLive && booking.attending && (
            <section>
              <h2>{texts.booking.atTheDoor}</h2>
              <p>{texts.booking.showCode}</p>
              <QrCode
                text={new URL(path, c.req.url).href}
                label={texts.booking.codeLabel(booking.userName)}
              />
              <PublicActionButton
                action={staffPath(site)}
                hidden={[['link', secret]]}
                label={texts.booking.markAsCome}
              />
            </section>
          )}
          {isLive && (
            <p class="actions">
              {booking.attending && (
                <a class="button" href={`${path}/calendar.ics`}>
                  {texts.booking.addToCalendar}
                </a>
              )}
              <a class="button" href={`${path}/change`}>
                {texts.booking.change}
              </a>
              <a class="button" href={`${path}/cancel`}>
                {texts.booking.cancel}
              </a>
            </p>
          )}
          {endStates.includes(booking.userStatus) && event && (
            <p>
              <a class="link" href={eventPath(site, event.id)}>
                {texts.booking.signUpAgain}
              </a>
            </p>
          )}
        </div>
        {event && <EventFacts event={event} places={undefined} />}
      </div>
    </PublicPage>
  )
}

/** The address that marks the booking, for signed-in staff who open the link. */
const staffPath = ({ organisationId }: PublicEnv['Variables']['site']) =>
  `/dashboard/${encodeURIComponent(organisationId)}/events/scan`

/** Whether the event is over for a booking that nobody confirmed. */
const isMissed = ({ booking, isOver }: OpenBooking['linked']) =>
  isOver && booking.userStatus !== 'confirmed'

/** The states that a booking never leaves. */
const endStates: readonly BookingState[] = ['cancelled', 'lapsed']

/** Renders the page that asks before a booking is cancelled. */
export function CancelPage({ c, open: { linked, secret } }: BookingProps) {
  const path = bookingPath(c.var.site, secret)
  return (
    <PublicPage
      site={c.var.site}
      title={texts.booking.cancelTitle}
      back={{ path, label: texts.booking.back }}
    >
      <h1>{texts.booking.cancelQuestion}</h1>
      <p>{texts.booking.cancelEffect(linked.booking.userName, linked.event?.name)}</p>
      <PublicActionButton action={`${path}/cancel`} label={texts.booking.cancel} isPrimary />
    </PublicPage>
  )
}

/** The title of the page and the sentence below it. */
function describeState({ linked }: OpenBooking): { title: string; text: string } {
  const { booking, heldUntil } = linked
  const { orgStatus, userStatus } = booking
  const { attended, absent, missed, ...states } = texts.bookingStates
  if (orgStatus === 'attended') return attended
  if (orgStatus === 'absent') return absent
  if (isMissed(linked) && !endStates.includes(userStatus)) return missed
  // Staff can give a booking another status.
  const state = states[userStatus] ?? states.confirmed
  return typeof state === 'function' ? state(heldUntil) : state
}
