import { formatPeriod } from '../../model/dates.ts'
import type { PublicEvent } from '../../sign-up/public-events.ts'
import { nameCount, type PlacesLeft } from './places-left.ts'

type FactsProps = { event: PublicEvent; places: PlacesLeft | undefined }

/** Renders when and where an event takes place, its price and the places left. */
export function EventFacts({ event, places }: FactsProps) {
  const { start, end, venue, contactEmail, contactPhone } = event
  const price = formatPrice(event)
  return (
    <aside aria-label="About this event">
      <dl class="facts halves">
        <Fact name="When" lines={formatPeriod(start, end)} />
        {venue.length > 0 && <Fact name="Where" lines={venue} />}
        {price && <Fact name="Price" lines={[price]} />}
        {places && <Fact name="Places" lines={[formatPlaces(places)]} />}
        {(contactEmail || contactPhone) && (
          <div>
            <dt>Questions</dt>
            {contactEmail && (
              <dd>
                <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
              </dd>
            )}
            {contactPhone && <dd>{contactPhone}</dd>}
          </div>
        )}
      </dl>
    </aside>
  )
}

function Fact({ name, lines }: { name: string; lines: readonly string[] }) {
  return (
    <div>
      <dt>{name}</dt>
      {lines.map((line) => (
        <dd>{line}</dd>
      ))}
    </div>
  )
}

/** The price in words; undefined if it is not known. */
export function formatPrice({ isFree, price }: PublicEvent): string | undefined {
  if (isFree || price === 0) return 'Free'
  if (price === null) return undefined
  return `£${Number.isInteger(price) ? price : price.toFixed(2)} a person`
}

const formatPlaces = ({ left, capacity }: PlacesLeft) =>
  left === 0 ? `Full (${nameCount(capacity)})` : `${left} left of ${capacity}`
