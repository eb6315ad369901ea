import type { Context } from 'hono'
import { formatShortMoment } from '../../../model/dates.ts'
import { valueAt } from '../../../model/json.ts'
import { recordTitle } from '../../collection/collection-info.ts'
import { can } from '../../session/permissions.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { collectionPath, newRecordPath, recordPath, registerPath } from '../../ui/paths.ts'
import { Facts } from './facts.tsx'
import { LatestHistory } from './history.tsx'
import type { RecordView } from './load.ts'
import { AnswerList } from './notes.tsx'
import { groupRecordFacts, RecordFacts } from './record-facts.tsx'
import { RecordMenu } from './record-menu.tsx'
import { Occurrences, RelatedRecords } from './related.tsx'

type Props = { c: Context<DashboardEnv>; view: RecordView }

/** Renders a record that is not a person: main facts, texts, records that refer to it, and history. */
export function RecordPage({ c, view }: Props) {
  const { collection, record, findTitle, referencing, occurrences, flash } = view
  const { name, label } = collection
  const { values } = record
  const { main, texts, aside } = groupRecordFacts(collection, values)
  const props = { c, collection, values, findTitle }
  return (
    <Page
      c={c}
      title={pageTitle(view)}
      lead={name === 'events' && <EventLead c={c} view={view} />}
      crumbs={[{ name: label, href: collectionPath(c, name) }]}
      actions={<RecordActions c={c} view={view} />}
    >
      <Notice message={flash.notice} undo={flash.undo} />
      <div class="split">
        <div>
          {main.length > 0 && <Facts {...props} properties={main} class="across" />}
          {texts.map((property) => (
            <section class="section">
              <h2>{property.label}</h2>
              <p class="text">{String(valueAt(values, property.path))}</p>
            </section>
          ))}
          {Array.isArray(values.responses) && values.responses.length > 0 && (
            <section class="section">
              <h2>Answers</h2>
              <AnswerList response={values} />
            </section>
          )}
          {occurrences.total > 0 && <Occurrences c={c} occurrences={occurrences} id={record.id} />}
          {referencing.map((group) => (
            <RelatedRecords c={c} group={group} view={view} />
          ))}
          <LatestHistory c={c} view={view} />
        </div>
        <RecordFacts {...props} groups={aside} />
      </div>
    </Page>
  )
}

/** The title: answers have that of their form. */
function pageTitle({ collection, record, findTitle }: RecordView): string {
  const title = recordTitle(collection, record.values)
  const form = findTitle('forms', String(record.values.surveyId))
  return collection.name === 'survey-responses' && form
    ? title.replace('Answers', form.title)
    : title
}

function EventLead({ c, view: { record, findTitle } }: Props) {
  const { start, parentEventId } = record.values
  const venue = valueAt(record.values, ['venue', 'name'])
  const series = typeof parentEventId === 'string' ? parentEventId : undefined
  return (
    <>
      {typeof start === 'string' && formatShortMoment(start)}
      {venue && ` · ${venue}`}
      {series && (
        <>
          {' '}
          · One date of{' '}
          <a href={recordPath(c, 'events', series)}>
            {findTitle('events', series)?.title ?? 'a series'}
          </a>
        </>
      )}
    </>
  )
}

function RecordActions({ c, view: { collection, record, occurrences } }: Props) {
  const { id } = record
  // The dates of a series are booked and have registers, not the series.
  const isEvent = collection.name === 'events' && occurrences.total === 0
  return (
    <>
      {isEvent && can(c, 'write') && (
        <a
          class="button"
          href={`${newRecordPath(c, 'bookings')}?${new URLSearchParams({ event: id })}`}
        >
          Add booking
        </a>
      )}
      {can(c, 'write') && (
        <>
          <a
            class={isEvent ? 'button' : 'button primary'}
            href={`${recordPath(c, collection.name, id)}/edit`}
          >
            Edit
          </a>
          <RecordMenu c={c} collection={collection} id={id} />
        </>
      )}
      {isEvent && can(c, 'take-registers') && (
        <a class="button primary" href={registerPath(c, id)}>
          Register
        </a>
      )}
    </>
  )
}
