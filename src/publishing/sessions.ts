import { createHash } from 'node:crypto'
import { toLondon } from '../model/timestamp.ts'
import {
  type EventDocument,
  isPublicEvent,
  isPublicSeries,
  toPublicEvent,
} from '../sign-up/public-events.ts'
import { readEventVersions } from '../store/sign-up/event-versions.ts'
import type { Store } from '../store/store.ts'
import { findActivities } from './activities.ts'
import { type Organiser, toEventData } from './event-data.ts'

/** The licence that OpenActive asks for. */
export const sessionLicence = 'https://creativecommons.org/licenses/by/4.0/'

export const sessionKinds = ['SessionSeries', 'ScheduledSession'] as const

/** An item of the feed. A deleted one has no data. */
type SessionItem = {
  state: 'updated' | 'deleted'
  kind: (typeof sessionKinds)[number]
  id: string
  modified: number
  data?: object
}

/** The maximum number of events of a page: a document can have half a megabyte. */
const maxEvents = 250

/**
 * Reads the items of OpenActive's feed after a version: an event is a session, or a series if it has dates. What is not
 * public appears as deleted. Once an event had dates, both kinds follow it, because it may become the other kind.
 */
export async function readSessions(
  store: Store,
  organiser: Organiser,
  after: number,
): Promise<SessionItem[]> {
  const now = new Date().toISOString()
  const rows = await readEventVersions(store, after, maxEvents)
  const items = rows.flatMap(({ id, version, hadDates, isSeries, document }) => {
    const event: EventDocument | undefined = document && JSON.parse(document)
    const data = event && toData(event, isSeries, organiser, now)
    return sessionKinds
      .filter((kind) => hadDates || kind === 'ScheduledSession')
      .map((kind) => {
        const item = { kind, id: digest(`${kind} ${id}`), modified: version }
        return data?.['@type'] === kind
          ? { state: 'updated' as const, ...item, data }
          : { state: 'deleted' as const, ...item }
      })
  })
  return items.toSorted(
    (one, other) => one.modified - other.modified || (one.id < other.id ? -1 : 1),
  )
}

/** An event as OpenActive's data; undefined if it is not public, or lacks what OpenActive demands. */
function toData(event: EventDocument, isSeries: boolean, organiser: Organiser, now: string) {
  const isPublic = isSeries ? isPublicSeries(event) : isPublicEvent(event, now)
  const series = isPublic ? toSeries(event, organiser) : undefined
  const data = series && !isSeries ? toSession(event, series, organiser) : series
  return data && { '@context': 'https://openactive.io/', ...data }
}

type Series = NonNullable<ReturnType<typeof toSeries>>

function toSession(event: EventDocument, series: Series, organiser: Organiser) {
  const { start, end, parentEventId } = event
  const minutes = (Date.parse(end ?? '') - Date.parse(start ?? '')) / 60_000
  if (!(minutes > 0)) return undefined
  const { organizer: _, ...session } = toEventData(toPublicEvent(event), organiser)
  return {
    '@type': 'ScheduledSession' as const,
    '@id': session.url,
    ...session,
    duration: `PT${Math.round(minutes)}M`,
    superEvent: parentEventId ? seriesAddress(parentEventId, organiser) : series,
  }
}

function toSeries(event: EventDocument, organiser: Organiser) {
  const { start, end, tags = [] } = event
  const { startDate: _, endDate: _end, ...series } = toEventData(toPublicEvent(event), organiser)
  const activity = findActivities(tags)
  if (!series.location || !series.offers || activity.length === 0) return undefined
  return {
    '@type': 'SessionSeries' as const,
    '@id': seriesAddress(event.eventId, organiser),
    ...series,
    activity,
    category: tags,
    eventSchedule: [
      {
        '@type': 'PartialSchedule',
        startTime: start ? toLondon(start).slice(11) : undefined,
        endTime: end ? toLondon(end).slice(11) : undefined,
        scheduleTimezone: 'Europe/London',
      },
    ],
  }
}

/** The address that identifies a series. A date names it even if the series is not public, so it has a digest of the id. */
const seriesAddress = (eventId: string, { address }: Organiser) =>
  `${address}/openactive/series/${digest(eventId)}`

/** An id that says nothing about an event: also events that were never public appear as deleted. */
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 20)
