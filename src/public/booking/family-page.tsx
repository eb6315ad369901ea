import type { Context } from 'hono'
import { type FamilyBooking, groupByDate } from '../../sign-up/booking-link.ts'
import { toPublicEvent } from '../../sign-up/public-events.ts'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { EventFacts } from '../events/facts.tsx'
import { PublicActionButton } from '../ui/form.tsx'
import { PublicPage } from '../ui/page.tsx'
import type { PublicSite } from '../ui/site.ts'
import { ConfirmationPanel } from '../ui/summary.tsx'
import { describeState, isLive } from './booking-page.tsx'
import { DoorCode } from './door-code.tsx'
import { backTo, bookingPath, type OpenBooking } from './open-booking.ts'

/**
 * Renders the bookings of a family's link. Each has its own page, with the actions of its state. Those of a series
 * are listed by date first.
 */
export function FamilyPage({ c, open }: { c: Context<PublicEnv>; open: OpenBooking }) {
  const { site } = c.var
  const { linked } = open
  const event = linked.event && toPublicEvent(linked.event)
  const dates = groupByDate(linked)
  const isSeries = dates.length > 1
  const live = linked.family.filter(({ booking, isOver }) => isLive(booking) && !isOver)
  const isUnconfirmed = live.some(({ booking }) =>
    ['unconfirmed', 'pending'].includes(booking.userStatus),
  )
  const hasPlaces = live.some(({ booking }) => booking.attending)
  const { title } = describeState({ linked: { ...linked, ...live[0] } })
  return (
    <PublicPage site={site} title={title} back={backTo(site, open)}>
      <ConfirmationPanel title={title}>{event && <p>{event.name}</p>}</ConfirmationPanel>
      <div class="split">
        <div>
          {isUnconfirmed && (
            <PublicActionButton
              action={bookingPath(site, open, '/confirm')}
              label={texts.booking.confirm}
              isPrimary
            />
          )}
          <ul class="family">
            {(isSeries ? dates : linked.family.map((one) => [one])).map((bookings) => (
              <ListedBookings site={site} open={open} bookings={bookings} isDate={isSeries} />
            ))}
          </ul>
          {hasPlaces && open.chosenId === undefined && (
            <DoorCode c={c} open={open} label={texts.booking.familyCode} />
          )}
          {live.length > 0 && (
            <p class="actions">
              {hasPlaces && (
                <a class="button" href={bookingPath(site, open, '/calendar.ics')}>
                  {texts.booking.addToCalendar}
                </a>
              )}
              <a class="button" href={bookingPath(site, open, '/cancel')}>
                {texts.booking.cancel(live.length)}
              </a>
            </p>
          )}
        </div>
        {event && <EventFacts event={event} places={undefined} isSeries={isSeries} />}
      </div>
    </PublicPage>
  )
}

type ListedProps = {
  site: PublicSite
  open: OpenBooking
  bookings: readonly FamilyBooking[]
  isDate: boolean
}

/** Renders a booking of a family, or its bookings for a date, with their states. */
function ListedBookings({ site, open, bookings, isDate }: ListedProps) {
  const { linked, secret } = open
  const [first] = bookings
  if (!first) return null
  const { booking, bookingId, event } = first
  const chosenId = isDate ? booking.eventId : bookingId
  const states = bookings.map((one) => describeState({ linked: { ...linked, ...one } }).title)
  return (
    <li>
      <a class="link" href={bookingPath(site, { secret, chosenId })}>
        {isDate ? texts.dates.formatMoment(event?.start ?? '') : booking.userName}
      </a>
      <span class="quiet">{[...new Set(states)].join(', ')}</span>
    </li>
  )
}
