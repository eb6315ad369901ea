import type { Context } from 'hono'
import { toPublicEvent } from '../../sign-up/public-events.ts'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { EventFacts } from '../events/facts.tsx'
import { PublicPage } from '../ui/page.tsx'
import { publicPath } from '../ui/site.ts'
import { ConfirmationPanel } from '../ui/summary.tsx'
import { describeState, isLive } from './booking-page.tsx'
import { DoorCode } from './door-code.tsx'
import { bookingPath, type OpenBooking } from './open-booking.ts'

/** Renders the bookings of a family's link. Each has a page of its own, with the actions of its state. */
export function FamilyPage({ c, open }: { c: Context<PublicEnv>; open: OpenBooking }) {
  const { site } = c.var
  const { linked, secret } = open
  const event = linked.event && toPublicEvent(linked.event)
  const live = linked.family.filter(({ booking }) => isLive(booking) && !linked.isOver)
  const hasPlaces = live.some(({ booking }) => booking.attending)
  const { title } = describeState(open)
  return (
    <PublicPage
      site={site}
      title={title}
      back={{ path: publicPath(site), label: texts.events.all }}
    >
      <ConfirmationPanel title={title}>{event && <p>{event.name}</p>}</ConfirmationPanel>
      <div class="split">
        <div>
          <ul class="family">
            {linked.family.map(({ bookingId, booking }) => (
              <li>
                <a class="link" href={bookingPath(site, { secret, chosenId: bookingId })}>
                  {booking.userName}
                </a>
                <span class="quiet">{describeState({ linked: { ...linked, booking } }).title}</span>
              </li>
            ))}
          </ul>
          {hasPlaces && <DoorCode c={c} open={open} label={texts.booking.familyCode} />}
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
        {event && <EventFacts event={event} places={undefined} />}
      </div>
    </PublicPage>
  )
}
