import type { Context } from 'hono'
import type { BookingState } from '../../sign-up/booking.ts'
import { toPublicEvent } from '../../sign-up/public-events.ts'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { EventFacts } from '../events/facts.tsx'
import { PublicActionButton } from '../ui/form.tsx'
import { PublicPage } from '../ui/page.tsx'
import { eventPath } from '../ui/site.ts'
import { ConfirmationPanel } from '../ui/summary.tsx'
import { DoorCode } from './door-code.tsx'
import { backTo, bookingPath, type OpenBooking } from './open-booking.ts'

type BookingProps = { c: Context<PublicEnv>; open: OpenBooking }

/** Renders a booking for the owner of its private link, with the actions of its state. */
export function BookingPage({ c, open }: BookingProps) {
  const { site } = c.var
  const { linked, chosenId } = open
  const { booking, event: document } = linked
  const event = document && toPublicEvent(document)
  const { title, text } = describeState(open)
  const canChange = isLive(booking) && !isMissed(linked)
  const isUnconfirmed = booking.userStatus === 'unconfirmed' || booking.userStatus === 'pending'
  const pathOf = (page?: string) => bookingPath(site, open, page)
  return (
    <PublicPage site={site} title={title} back={backTo(site, open)}>
      <ConfirmationPanel title={title}>
        <p>
          {booking.userName}
          {event && `, ${event.name}`}
        </p>
      </ConfirmationPanel>
      <div class="split">
        <div>
          <p>{text}</p>
          {canChange && isUnconfirmed && (
            <PublicActionButton
              action={pathOf('/confirm')}
              label={texts.booking.confirm}
              isPrimary
            />
          )}
          {canChange && booking.userStatus === 'offered' && (
            <PublicActionButton action={pathOf('/accept')} label={texts.booking.accept} isPrimary />
          )}
          {canChange && booking.attending && chosenId === undefined && (
            <DoorCode c={c} open={open} label={texts.booking.codeLabel(booking.userName)} />
          )}
          {canChange && (
            <p class="actions">
              {booking.attending && (
                <a class="button" href={pathOf('/calendar.ics')}>
                  {texts.booking.addToCalendar}
                </a>
              )}
              <a class="button" href={pathOf('/change')}>
                {texts.booking.change}
              </a>
              <a class="button" href={pathOf('/cancel')}>
                {texts.booking.cancel(1)}
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

/** Whether the event is over for a booking that nobody confirmed. */
const isMissed = ({ booking, isOver }: OpenBooking['linked']) =>
  isOver && booking.userStatus !== 'confirmed'

/** Whether a booking can still be changed or given up. */
export const isLive = ({ orgStatus, userStatus }: OpenBooking['linked']['booking']) =>
  orgStatus === '' && !endStates.includes(userStatus)

/** The states that a booking never leaves. */
const endStates: readonly BookingState[] = ['cancelled', 'lapsed']

/** The title of the page and the sentence below it. */
export function describeState({ linked }: Pick<OpenBooking, 'linked'>): {
  title: string
  text: string
} {
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
