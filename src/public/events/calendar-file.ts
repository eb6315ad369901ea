import type { Context } from 'hono'
import { listPublicEvents, type PublicEvent } from '../../sign-up/public-events.ts'
import type { PublicEnv } from '../site-access.ts'
import { assetPath, type PublicSite } from '../ui/site.ts'
import { buildCalendar, type CalendarEntry } from './calendar.ts'

/** Serves the coming events as a calendar file, for a subscription. */
export async function serveEventCalendar(c: Context<PublicEnv>) {
  const { site, store } = c.var
  const now = new Date().toISOString()
  const { events } = await listPublicEvents(store, now)
  const { origin } = new URL(c.req.url)
  const calendar = buildCalendar(
    `${site.organisationName} events`,
    events.map((event) => toCalendarEntry(event, site, origin)),
    now,
  )
  return c.body(calendar, 200, calendarHeaders('events'))
}

/** The headers of a calendar file. */
export const calendarHeaders = (name: string) => ({
  'Content-Type': 'text/calendar; charset=utf-8',
  'Content-Disposition': `attachment; filename="${name}.ics"`,
})

/** Returns the calendar entry of an event. */
export const toCalendarEntry = (
  event: PublicEvent,
  site: PublicSite,
  origin: string,
): CalendarEntry => ({
  uid: `${encodeURIComponent(event.id)}@${site.organisationId}.${new URL(origin).hostname}`,
  sequence: event.version,
  summary: event.name,
  ...{ start: event.start, end: event.end },
  location: event.venue.join(', '),
  description: event.description,
  url: `${origin}${assetPath(site, `/events/${encodeURIComponent(event.id)}`)}`,
})
