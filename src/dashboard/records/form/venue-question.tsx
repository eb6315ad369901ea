import type { Context } from 'hono'
import { formatVenue } from '../../../model/venue.ts'
import { loadValues } from '../../collection/choices.ts'
import {
  type CollectionInfo,
  describeCollection,
  type ShownValues,
} from '../../collection/collection-info.ts'
import { loadRecords } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Fields, FormFieldControl } from '../../ui/fields.tsx'
import { textOf } from '../../ui/form-values.ts'
import { toChanges } from './choice-question.tsx'
import type { PropertyChange, QuestionControlProps, RecordQuestion } from './question.ts'

const venue = '$venue'
const details = [
  { name: 'venue.name', label: 'Name of the venue' },
  { name: 'venue.address', label: 'Address' },
  { name: 'venue.postcode', label: 'Postcode' },
] as const

/** The venues of the latest events are offered. */
const maxEvents = 100

type KnownVenue = { eventId: string; label: string }

/** The question for a new event's venue: that of another event, or a new one. */
export async function venueQuestion(
  c: Context<DashboardEnv>,
  events: CollectionInfo,
): Promise<RecordQuestion> {
  const venues = await listVenues(c, events)
  return {
    label: 'Venue',
    names: [venue, ...details.map(({ name }) => name)],
    properties: details.map(({ name }) => name),
    read: () => ({ [venue]: venues.length > 0 ? '' : 'other' }),
    parse: ({ submitted }) => {
      const eventId = textOf(submitted, venue)
      if (eventId !== 'other') return copyVenue(c, eventId)
      const texts = details.map(({ name }) => [name, textOf(submitted, name).trim()])
      return { changes: toChanges(Object.fromEntries(texts)) }
    },
    Control: (props) => <VenueFields venues={venues} {...props} />,
  }
}

async function listVenues(c: Context<DashboardEnv>, events: CollectionInfo): Promise<KnownVenue[]> {
  const query = { $orderby: 'start desc', $select: 'venue', limit: String(maxEvents) }
  const { records } = await loadRecords(c, events, new URLSearchParams(query))
  const venues = new Map<string, string>()
  for (const event of records) {
    const label = formatVenue(event.venue)
    if (label !== '' && ![...venues.values()].includes(label))
      venues.set(String(event[events.id]), label)
  }
  return [...venues].map(([eventId, label]) => ({ eventId, label }))
}

async function copyVenue(
  c: Context<DashboardEnv>,
  eventId: string,
): Promise<{ changes: PropertyChange[] } | { errors: Record<string, string> }> {
  if (eventId === '') return { changes: [] }
  const values: ShownValues | undefined = await loadValues(
    c,
    await describeCollection(c, 'events'),
    eventId,
  )
  return values
    ? { changes: [{ path: ['venue'], value: values.venue }] }
    : { errors: { [venue]: 'does not exist any more.' } }
}

function VenueFields({
  venues,
  values,
  errors,
}: QuestionControlProps & { venues: readonly KnownVenue[] }) {
  const options = [
    { value: '', label: 'No venue' },
    ...venues.map(({ eventId, label }) => ({ value: eventId, label })),
    { value: 'other', label: 'Another venue' },
  ]
  const choice = { name: venue, label: 'Venue', options }
  return (
    <>
      {venues.length > 0 ? (
        <FormFieldControl field={choice} values={values} errors={errors} />
      ) : (
        <input type="hidden" name={venue} value="other" />
      )}
      <div class="another-venue">
        <Fields fields={details} values={values} errors={errors} />
      </div>
    </>
  )
}
