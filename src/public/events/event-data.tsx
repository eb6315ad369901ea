import type { Context } from 'hono'
import { toEventData } from '../../publishing/event-data.ts'
import type { PublicEvent } from '../../sign-up/public-events.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { assetPath } from '../ui/site.ts'
import { StructuredData } from '../ui/structured-data.tsx'

type Props = {
  c: Context<PublicEnv>
  event: PublicEvent
  /** The public dates of a series. */
  dates?: readonly PublicEvent[] | undefined
}

/** Renders an event by schema.org, or a series with its dates. */
export function EventData({ c, event, dates }: Props) {
  const { site } = c.var
  const organiser = {
    name: site.organisationName,
    address: new URL(c.req.url).origin + assetPath(site, ''),
  }
  const describe = (type: string, event: PublicEvent) => ({
    '@type': type,
    ...toEventData(event, organiser),
  })
  const data = dates
    ? {
        ...describe('EventSeries', event),
        startDate: undefined,
        endDate: undefined,
        subEvent: dates.map((date) => describe('Event', date)),
      }
    : describe('Event', event)
  return <StructuredData data={{ '@context': 'https://schema.org', ...data }} />
}
