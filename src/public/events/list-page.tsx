import type { Context } from 'hono'
import { londonDay, toTimestamp } from '../../model/timestamp.ts'
import { listPublicEvents, type PublicEvent } from '../../sign-up/public-events.ts'
import { readPlaces } from '../../store/sign-up/places.ts'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { PublicPage } from '../ui/page.tsx'
import { assetPath, eventPath, type PublicSite, publicPath } from '../ui/site.ts'
import { formatPlacesLeft, type PlacesLeft, toPlacesLeft } from './places-left.ts'

/** Renders the coming events by month, all or those with a tag. */
export async function renderEventList(c: Context<PublicEnv>) {
  const { site, store } = c.var
  const { host } = new URL(c.req.url)
  const tag = c.req.query('tag')
  const from = toTimestamp(c.req.query('from') ?? '')
  const { events: all, next } = await listPublicEvents(store, from)
  const events = tag ? all.filter(({ tags }) => tags.includes(tag)) : all
  const places = await readPlaces(
    store,
    events.map(({ id }) => id),
  )
  const leftOf = ({ id }: PublicEvent) => {
    const ofEvent = places.get(id)
    // Volunteers have other places, which the list does not show.
    return ofEvent && toPlacesLeft(ofEvent.participants)
  }
  const months = Map.groupBy(events, ({ start }) => londonDay(start).slice(0, 7))
  return c.html(
    <PublicPage site={site} title={texts.events.title}>
      <h1>{texts.events.title}</h1>
      <TagLinks site={site} tags={listTags(all)} current={tag} />
      {events.length === 0 && <p>{texts.events.none}</p>}
      {[...months].map(([month, eventsOfMonth]) => (
        <>
          <h2>{texts.dates.formatMonth(month)}</h2>
          <ul class="events">
            {eventsOfMonth.map((event) => (
              <ListedEvent site={site} event={event} left={leftOf(event)} />
            ))}
          </ul>
        </>
      ))}
      <p class="actions">
        {next && (
          <a class="button" href={publicPath(site, '', { from: next, ...(tag && { tag }) })}>
            {texts.events.later}
          </a>
        )}
        <a href={`webcal://${host}${assetPath(site, '/events.ics')}`}>{texts.events.subscribe}</a>
        <a href={assetPath(site, '/events.ics')}>{texts.events.addAllToCalendar}</a>
      </p>
    </PublicPage>,
  )
}

type TagLinksProps = { site: PublicSite; tags: readonly string[]; current: string | undefined }

function TagLinks({ site, tags, current }: TagLinksProps) {
  if (tags.length === 0) return null
  return (
    <nav aria-label={texts.events.filterByTag}>
      <ul class="tags">
        <li>
          <a class="tag" href={publicPath(site)} aria-current={current ? undefined : 'page'}>
            {texts.events.allTags}
          </a>
        </li>
        {tags.map((tag) => (
          <li>
            <a
              class="tag"
              href={publicPath(site, '', { tag })}
              aria-current={tag === current ? 'page' : undefined}
            >
              {tag}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

type ListedEventProps = { site: PublicSite; event: PublicEvent; left: PlacesLeft | undefined }

function ListedEvent({ site, event, left }: ListedEventProps) {
  const { id, name, start, tags, venue } = event
  return (
    <li>
      <p>
        <time datetime={start}>
          {texts.dates.formatDay(londonDay(start))}
          <br />
          {texts.dates.formatTime(start)}
        </time>
      </p>
      <div>
        <h3>
          <a href={eventPath(site, id)}>{name}</a>
        </h3>
        {venue.length > 0 && <p>{venue[0]}</p>}
        {tags.length > 0 && (
          <ul class="tags" aria-label={texts.events.tags}>
            {tags.map((tag) => (
              <li class="tag">{tag}</li>
            ))}
          </ul>
        )}
      </div>
      <p>{formatPlacesLeft(left)}</p>
    </li>
  )
}

/** The tags of events in alphabetical order. */
const listTags = (events: readonly PublicEvent[]) =>
  [...new Set(events.flatMap(({ tags }) => tags))].toSorted((one, other) =>
    one.localeCompare(other, texts.language),
  )
