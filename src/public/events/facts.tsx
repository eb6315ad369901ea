import type { PublicEvent } from '../../sign-up/public-events.ts'
import { texts } from '../../texts/texts.ts'
import type { PlacesLeft } from './places-left.ts'

type FactsProps = {
  event: PublicEvent
  places: PlacesLeft | undefined
  /** Whether the dates of the event have the times. */
  isSeries?: boolean
}

/** Renders when and where an event takes place, its price and the places left. */
export function EventFacts({ event, places, isSeries = false }: FactsProps) {
  const { start, end, venue, contactEmail, contactPhone } = event
  const price = formatPrice(event)
  return (
    <aside aria-label={texts.event.about}>
      <dl class="facts halves">
        {!isSeries && <Fact name={texts.event.when} lines={texts.dates.formatPeriod(start, end)} />}
        {venue.length > 0 && <Fact name={texts.event.where} lines={venue} />}
        {price && <Fact name={texts.event.price} lines={[price]} />}
        {places && <Fact name={texts.event.places} lines={[formatPlaces(places)]} />}
        {(contactEmail || contactPhone) && (
          <div>
            <dt>{texts.event.questions}</dt>
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
  if (isFree || price === 0) return texts.event.free
  return price === null ? undefined : texts.event.pricePerPerson(price)
}

const formatPlaces = ({ left, capacity }: PlacesLeft) =>
  left === 0 ? texts.event.fullOf(capacity) : texts.event.placesLeftOf(left, capacity)
