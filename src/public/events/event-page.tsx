import type { Context } from 'hono'
import { ApiError } from '../../model/api-error.ts'
import { type PublicEvent, readPublicEvent } from '../../sign-up/public-events.ts'
import type { PublicEnv } from '../site-access.ts'
import { PublicPage } from '../ui/page.tsx'
import { publicPath } from '../ui/site.ts'
import { EventFacts } from './facts.tsx'
import { readPlacesLeft } from './places-left.ts'

type EventContext = Context<PublicEnv, '/:organisation/events/:eventId'>

/** Renders an event that can be booked, or responds with 404. */
export async function renderEventPage(c: EventContext) {
  const { site, store } = c.var
  const event = await requirePublicEvent(c)
  const { name, description } = event
  const places = await readPlacesLeft(store, [event])
  return c.html(
    <PublicPage site={site} title={name} back={{ path: publicPath(site), label: 'All events' }}>
      <h1>{name}</h1>
      <div class="split">
        <div>{description && <p class="description">{description}</p>}</div>
        <EventFacts event={event} places={places.get(event.id)} />
      </div>
    </PublicPage>,
  )
}

/** Returns the public event in the path. Throws 404 if there is none. */
async function requirePublicEvent(c: EventContext): Promise<PublicEvent> {
  const event = await readPublicEvent(c.var.store, c.req.param('eventId'), new Date().toISOString())
  if (!event)
    throw new ApiError(
      'NOT_FOUND',
      'This event does not exist, is over, or takes no more bookings.',
    )
  return event
}
