import { formatPeriod } from '../../../model/dates.ts'
import { valueAt } from '../../../model/json.ts'
import { formatVenue } from '../../../model/venue.ts'
import { can } from '../../session/permissions.ts'
import { newRecordPath, recordPath, registerPath } from '../../ui/paths.ts'
import { Facts } from './facts.tsx'
import { LatestHistory } from './history.tsx'
import type { RecordView } from './load.ts'
import { AnswerList } from './notes.tsx'
import { memberLayout, personLayout } from './person-layout.tsx'
import { groupRecordFacts, RecordFacts } from './record-facts.tsx'
import type { RecordLayout, RecordSection, RecordViewProps } from './record-layout.ts'
import { RecordMenu } from './record-menu.tsx'
import { RelatedRecords } from './related.tsx'

/** What the lists show of a record. */
const mainFacts: RecordSection = {
  isShown: (view) => groupView(view).main.length > 0,
  Content: ({ c, view }) => (
    <Facts {...factsProps({ c, view })} properties={groupView(view).main} class="across" />
  ),
}

/** Texts to read. */
const texts: RecordSection = {
  Content: ({ view }) => (
    <>
      {groupView(view).texts.map((property) => (
        <section class="section">
          <h2>{property.label}</h2>
          <p class="text">{String(valueAt(view.record.values, property.path))}</p>
        </section>
      ))}
    </>
  ),
}

const answers: RecordSection = {
  isShown: ({ record: { values } }) =>
    Array.isArray(values.responses) && values.responses.length > 0,
  Content: ({ view }) => (
    <section class="section">
      <h2>Answers</h2>
      <AnswerList response={view.record.values} />
    </section>
  ),
}

/** The records of each collection that refer to the record. */
const related: RecordSection = {
  Content: ({ c, view }) => (
    <>
      {view.referencing.map((group) => (
        <RelatedRecords c={c} group={group} view={view} />
      ))}
    </>
  ),
}

const history: RecordSection = { Content: LatestHistory }

/** The page of a record that is not a person. */
const recordLayout: RecordLayout = {
  reads: { maxRelated: () => 10 },
  actions: RecordActions,
  sections: [mainFacts, texts, related, history],
  Aside: ({ c, view }) => (
    <RecordFacts {...factsProps({ c, view })} groups={groupView(view).aside} />
  ),
}

const eventLayout: RecordLayout = {
  ...recordLayout,
  lead: EventLead,
  actions: EventActions,
  sections: [mainFacts, texts, related, history],
}

const responseLayout: RecordLayout = {
  ...recordLayout,
  sections: [mainFacts, texts, answers, related, history],
}

const layouts: Readonly<Record<string, RecordLayout>> = {
  members: memberLayout,
  volunteers: personLayout,
  partners: personLayout,
  events: eventLayout,
  'survey-responses': responseLayout,
}

/** The layout of the pages of a collection's records. */
export const findLayout = (collection: string): RecordLayout => layouts[collection] ?? recordLayout

const groupView = ({ collection, record }: RecordView) =>
  groupRecordFacts(collection, record.values)

const factsProps = ({ c, view: { collection, record, findTitle } }: RecordViewProps) => ({
  c,
  collection,
  values: record.values,
  findTitle,
})

function RecordActions({ c, view: { collection, record } }: RecordViewProps) {
  if (!can(c, 'write')) return null
  return (
    <>
      <a class="button primary" href={`${recordPath(c, collection.name, record.id)}/edit`}>
        Edit
      </a>
      <RecordMenu c={c} collection={collection} id={record.id} />
    </>
  )
}

function EventActions({ c, view: { collection, record } }: RecordViewProps) {
  const booking = new URLSearchParams({ event: record.id })
  return (
    <>
      {can(c, 'write') && (
        <>
          <a class="button" href={`${newRecordPath(c, 'bookings')}?${booking}`}>
            Add booking
          </a>
          <a class="button" href={`${recordPath(c, collection.name, record.id)}/edit`}>
            Edit
          </a>
          <RecordMenu c={c} collection={collection} id={record.id} />
        </>
      )}
      {can(c, 'take-registers') && (
        <a class="button primary" href={registerPath(c, record.id)}>
          Register
        </a>
      )}
    </>
  )
}

function EventLead({ c, view: { record, findTitle } }: RecordViewProps) {
  const { start, end, parentEventId, venue } = record.values
  const period =
    typeof start === 'string' ? formatPeriod(start, end ? String(end) : undefined).join(', ') : ''
  return (
    <>
      {[period, formatVenue(venue)].filter(Boolean).join(' · ')}
      {typeof parentEventId === 'string' && (
        <>
          {' '}
          · One date of{' '}
          <a href={recordPath(c, 'events', parentEventId)}>
            {findTitle('events', parentEventId)?.title ?? 'a series'}
          </a>
        </>
      )}
    </>
  )
}
