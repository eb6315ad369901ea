import type { Context } from 'hono'
import { PublicError } from '../../sign-up/public-error.ts'
import { type PublicEvent, readPublicSeries } from '../../sign-up/public-events.ts'
import { readPlaces } from '../../store/sign-up/places.ts'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { PublicPage } from '../ui/page.tsx'
import { eventPath, type PublicSite, publicPath } from '../ui/site.ts'
import { EventFacts } from './facts.tsx'
import { formatPlacesLeft, type PlacesLeft, toPlacesLeft } from './places-left.ts'

/** Renders a series with its public dates, each of which is booked on a page of its own. Throws 404 for any other event. */
export async function renderSeries(c: Context<PublicEnv>, eventId: string) {
  const { site, store } = c.var
  const found = await readPublicSeries(store, eventId)
  if (!found) throw new PublicError('noEvent')
  const { series, dates } = found
  const places = await readPlaces(
    store,
    dates.map(({ id }) => id),
  )
  const leftOf = ({ id }: PublicEvent) => {
    const ofDate = places.get(id)
    return ofDate && toPlacesLeft(ofDate.participants)
  }
  return c.html(
    <PublicPage
      site={site}
      title={series.name}
      back={{ path: publicPath(site), label: texts.events.all }}
    >
      <h1>{series.name}</h1>
      <div class="split">
        <div>
          {series.description && <p class="description">{series.description}</p>}
          <h2>{texts.series.dates}</h2>
          <p>{dates.length === 0 ? texts.series.noDates : texts.series.chooseDate}</p>
          {dates.length > 0 && (
            <ul class="events dates">
              {dates.map((date) => (
                <ListedDate site={site} date={date} left={leftOf(date)} />
              ))}
            </ul>
          )}
        </div>
        <EventFacts event={series} places={undefined} isSeries />
      </div>
    </PublicPage>,
  )
}

type ListedDateProps = { site: PublicSite; date: PublicEvent; left: PlacesLeft | undefined }

const ListedDate = ({ site, date, left }: ListedDateProps) => (
  <li>
    <div>
      <h3>
        <a href={eventPath(site, date.id)}>{texts.dates.formatMoment(date.start)}</a>
      </h3>
      {date.venue.length > 0 && <p>{date.venue[0]}</p>}
    </div>
    <p>{formatPlacesLeft(left)}</p>
  </li>
)
