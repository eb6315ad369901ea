import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { formatDay, formatTime } from '../../model/dates.ts'
import { londonDay } from '../../model/timestamp.ts'
import type { BookingState } from '../../sign-up/booking.ts'
import { toPublicEvent } from '../../sign-up/public-events.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { EventFacts } from '../events/facts.tsx'
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
    <PublicPage site={site} title={title} back={{ path: publicPath(site), label: 'All events' }}>
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
            <ActionForm action={`${path}/confirm`} isPrimary>
              Confirm
            </ActionForm>
          )}
          {isLive && booking.userStatus === 'offered' && (
            <ActionForm action={`${path}/accept`} isPrimary>
              Accept the place
            </ActionForm>
          )}
          {isLive && booking.attending && (
            <section>
              <h2>At the door</h2>
              <p>Show this code, or give the name.</p>
              <QrCode
                text={new URL(path, c.req.url).href}
                label={`Code of the booking of ${booking.userName}`}
              />
              <form method="post" action={staffPath(site)}>
                <input type="hidden" name="link" value={secret} />
                <button class="button" type="submit">
                  For staff: mark as come
                </button>
              </form>
            </section>
          )}
          {isLive && (
            <p class="actions">
              {booking.attending && (
                <a class="button" href={`${path}/calendar.ics`}>
                  Add to your calendar
                </a>
              )}
              <a class="button" href={`${path}/change`}>
                Change details
              </a>
              <a class="button" href={`${path}/cancel`}>
                Cancel booking
              </a>
            </p>
          )}
          {endStates.includes(booking.userStatus) && event && (
            <p>
              <a class="link" href={eventPath(site, event.id)}>
                Sign up again
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
      title="Cancel this booking"
      back={{ path, label: 'Back to the booking' }}
    >
      <h1>Cancel this booking?</h1>
      <p>
        {linked.booking.userName} no longer has a place at {linked.event?.name ?? 'the event'}.
        Somebody else can take it at once.
      </p>
      <ActionForm action={`${path}/cancel`} isPrimary>
        Cancel booking
      </ActionForm>
    </PublicPage>
  )
}

type ActionProps = { action: string; isPrimary?: boolean; children: Child }

function ActionForm({ action, isPrimary, children }: ActionProps) {
  return (
    <form method="post" action={action}>
      <button class={isPrimary ? 'button primary' : 'button'} type="submit">
        {children}
      </button>
    </form>
  )
}

function describeState({ linked }: OpenBooking): { title: string; text: string } {
  const { booking, heldUntil } = linked
  const until = heldUntil
    ? `until ${formatTime(heldUntil)} on ${formatDay(londonDay(heldUntil))}`
    : 'for a short time'
  if (booking.orgStatus === 'attended')
    return { title: 'You came', text: 'The organisers have recorded that you came.' }
  if (booking.orgStatus === 'absent')
    return { title: 'This event is over', text: 'The organisers have closed the register.' }
  if (isMissed(linked) && !endStates.includes(booking.userStatus))
    return { title: 'This event is over', text: 'The booking was not confirmed before its end.' }
  switch (booking.userStatus) {
    case 'unconfirmed':
      return {
        title: 'Confirm your booking',
        text: `The place is held ${until}. Confirm it, and all others of the same sign-up.`,
      }
    case 'pending':
      return {
        title: 'Confirm your booking',
        text: 'Many people are signing up now, so no place is held for you until you confirm. If none is left then, you join the waiting list.',
      }
    case 'offered':
      return {
        title: 'There is a place for you',
        text: `The place is held ${until}. If you do not accept it, the next person gets it.`,
      }
    case 'waiting':
      return {
        title: 'On the waiting list',
        text: 'All places are taken. A place that falls free is offered here, in the order of sign-ups.',
      }
    case 'cancelled':
      return { title: 'Booking cancelled', text: 'This booking was cancelled.' }
    case 'lapsed':
      return {
        title: 'The place is no longer held',
        text: 'It was not confirmed in time and may have gone to somebody else.',
      }
    default:
      return { title: 'You are booked', text: 'Keep this page’s address to change or cancel.' }
  }
}
