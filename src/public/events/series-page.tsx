import type { Context } from 'hono'
import { PublicError } from '../../sign-up/public-error.ts'
import {
  type EventDocument,
  type PublicEvent,
  readPublicSeries,
  toPublicEvent,
} from '../../sign-up/public-events.ts'
import { readPlaces } from '../../store/sign-up/places.ts'
import type { Store } from '../../store/store.ts'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { PublicPage } from '../ui/page.tsx'
import { eventPath, type PublicSite, publicPath } from '../ui/site.ts'
import { EventData } from './event-data.tsx'
import { EventFacts } from './facts.tsx'
import { formatPlacesLeft, type PlacesLeft, toPlacesLeft } from './places-left.ts'

/** Renders a series with its public dates, each of which is booked on its own page. Throws 404 for any other event. */
export async function renderSeries(c: Context<PublicEnv>, eventId: string) {
  const { site, store } = c.var
  const found = await readPublicSeries(store, eventId)
  if (!found) throw new PublicError('noEvent')
  const series = toPublicEvent(found.series)
  const dates = await readDatesWithPlaces(store, found.dates)
  return c.html(
    <PublicPage
      site={site}
      title={series.name}
      back={{ path: publicPath(site), label: texts.events.all }}
    >
      <EventData c={c} event={series} dates={dates.map(({ date }) => date)} />
      <h1>{series.name}</h1>
      <div class="split">
        <div>
          {series.description && <p class="description">{series.description}</p>}
          <h2>{texts.series.dates}</h2>
          <p>{dates.length === 0 ? texts.series.noDates : texts.series.chooseDate}</p>
          <DateList site={site} dates={dates} />
        </div>
        <EventFacts event={series} places={undefined} isSeries />
      </div>
    </PublicPage>,
  )
}

/** A date of a series with its places left, undefined without a limit. */
export type DateWithPlaces = {
  date: PublicEvent
  places: PlacesLeft | undefined
  volunteerPlaces: PlacesLeft | undefined
}

export async function readDatesWithPlaces(
  store: Store,
  events: readonly EventDocument[],
): Promise<DateWithPlaces[]> {
  const places = await readPlaces(
    store,
    events.map(({ eventId }) => eventId),
  )
  return events.map((event) => {
    const ofDate = places.get(event.eventId)
    return {
      date: toPublicEvent(event),
      places: ofDate && toPlacesLeft(ofDate.participants),
      volunteerPlaces: ofDate && toPlacesLeft(ofDate.volunteers),
    }
  })
}

type DateListProps = { site: PublicSite; dates: readonly DateWithPlaces[] }

/** Lists the dates of a series, each with a link to its own page. */
export function DateList({ site, dates }: DateListProps) {
  if (dates.length === 0) return null
  return (
    <ul class="events dates">
      {dates.map(({ date, places }) => (
        <li>
          <div>
            <h3>
              <a href={eventPath(site, date.id)}>{texts.dates.formatMoment(date.start)}</a>
            </h3>
            {date.venue.length > 0 && <p>{date.venue[0]}</p>}
          </div>
          <p>{formatPlacesLeft(places)}</p>
        </li>
      ))}
    </ul>
  )
}
