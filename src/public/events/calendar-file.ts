import type { Context } from 'hono'
import { listPublicEvents, type PublicEvent } from '../../sign-up/public-events.ts'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { assetPath, type PublicSite } from '../ui/site.ts'
import { buildCalendar, type CalendarEntry } from './calendar.ts'

/** Serves the coming events as a calendar file, for a subscription. */
export async function serveEventCalendar(c: Context<PublicEnv>) {
  const { site, store } = c.var
  const now = new Date().toISOString()
  const { events } = await listPublicEvents(store)
  const { origin } = new URL(c.req.url)
  const calendar = buildCalendar(
    texts.events.calendarName(site.organisationName),
    events.map((event) => ({
      uid: buildUid(encodeURIComponent(event.id), site, origin),
      sequence: event.version,
      ...describeEvent(event, site, origin),
    })),
    now,
  )
  return c.body(calendar, 200, calendarHeaders('events'))
}

/** A unique id for a calendar entry of the organisation. */
export const buildUid = (id: string, { organisationId }: PublicSite, origin: string) =>
  `${id}@${organisationId}.${new URL(origin).hostname}`

/** The headers of a calendar file. */
export const calendarHeaders = (name: string) => ({
  'Content-Type': 'text/calendar; charset=utf-8',
  'Content-Disposition': `attachment; filename="${name}.ics"`,
})

/** The part of a calendar entry that describes an event. */
export const describeEvent = (
  event: PublicEvent,
  site: PublicSite,
  origin: string,
): Omit<CalendarEntry, 'uid' | 'sequence'> => ({
  summary: event.name,
  start: event.start,
  end: event.end,
  location: event.venue.join(', '),
  description: event.description,
  url: `${origin}${assetPath(site, `/events/${encodeURIComponent(event.id)}`)}`,
})
