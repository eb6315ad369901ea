import type { Context } from 'hono'
import { formatShortDay } from '../../../model/dates.ts'
import { valueAt } from '../../../model/json.ts'
import { toLabel } from '../../../model/properties/compile.ts'
import {
  type CollectionInfo,
  recordTitle,
  type ShownValues,
} from '../../collection/collection-info.ts'
import { can } from '../../session/permissions.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { formatValue } from '../../ui/format-value.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { collectionPath, newRecordPath, recordPath } from '../../ui/paths.ts'
import { findLastCame, PersonBookings } from './bookings.tsx'
import { PersonGrants } from './grants.tsx'
import { LatestHistory } from './history.tsx'
import type { RecordView } from './load.ts'
import { PersonAnswers, PersonNotes } from './notes.tsx'
import { groupPersonFacts, PersonFacts } from './person-facts.tsx'
import { PersonMenu } from './record-menu.tsx'

/** Renders a person: contact details, then bookings, notes, answers, grants and history. */
export function PersonPage({ c, view }: { c: Context<DashboardEnv>; view: RecordView }) {
  const { collection, record, findTitle, referencing, grants, attendance, flash } = view
  const { name, label, singularLabel } = collection
  const find = (from: string) => referencing.find((group) => group.collection.name === from)
  const [bookings, notes, answers] = [
    find('bookings'),
    find('case-notes'),
    find('survey-responses'),
  ]
  const { tags } = groupPersonFacts(collection, record.values)
  const title = recordTitle(collection, record.values)
  const lastCame = bookings && findLastCame(bookings.first, attendance)
  const sections = [
    bookings && { id: 'bookings', name: 'Bookings', count: bookings.total },
    notes && { id: 'notes', name: 'Notes', count: notes.total },
    answers && { id: 'answers', name: 'Answers', count: answers.total },
    grants.length > 0 && { id: 'grants', name: 'Grants', count: grants.length },
    { id: 'history', name: 'History', count: undefined },
  ].filter((section) => section !== undefined && section !== false)
  return (
    <Page
      c={c}
      title={title}
      avatar={initials(title)}
      lead={
        <>
          {[describeSince(collection, record.values), lastCame && `Last came ${lastCame}`]
            .filter(Boolean)
            .join(' · ')}
          {tags.flatMap((property) =>
            [valueAt(record.values, property.path)].flat().map((tag) => (
              <>
                {' '}
                <span class="tag">{formatValue(tag, property)}</span>
              </>
            )),
          )}
        </>
      }
      crumbs={[{ name: label, href: collectionPath(c, name) }]}
      actions={can(c, 'write') && <PersonActions c={c} collection={collection} id={record.id} />}
    >
      <Notice message={flash.notice} undo={flash.undo} />
      <div class="split">
        <div>
          <nav class="tabs narrow-only" aria-label="On this page">
            {sections.map(({ id, name, count }) => (
              <a href={`#${id}`}>
                {name} {count !== undefined && <span>{count}</span>}
              </a>
            ))}
          </nav>
          {bookings && (
            <PersonBookings
              c={c}
              bookings={bookings}
              attendance={attendance}
              personId={record.id}
            />
          )}
          {notes && <PersonNotes c={c} group={notes} personId={record.id} />}
          {answers && (
            <PersonAnswers c={c} group={answers} personId={record.id} findTitle={findTitle} />
          )}
          {grants.length > 0 && <PersonGrants c={c} grants={grants} findTitle={findTitle} />}
          {!bookings && !notes && !answers && (
            <p>This {singularLabel} has no bookings, notes or answers yet.</p>
          )}
          <LatestHistory c={c} view={view} />
        </div>
        <PersonFacts c={c} collection={collection} values={record.values} findTitle={findTitle} />
      </div>
    </Page>
  )
}

type ActionsProps = { c: Context<DashboardEnv>; collection: CollectionInfo; id: string }

function PersonActions({ c, collection, id }: ActionsProps) {
  const { name, kind } = collection
  const prefill = new URLSearchParams({ [kind?.slice(0, -1) ?? '']: id })
  return (
    <>
      {kind === 'members' && (
        <a class="button" href={`${newRecordPath(c, 'bookings')}?${prefill}`}>
          Book onto an event
        </a>
      )}
      <a class="button" href={`${recordPath(c, name, id)}/edit`}>
        Edit
      </a>
      <PersonMenu c={c} collection={collection} id={id} />
      <a class="button primary" href={`${newRecordPath(c, 'case-notes')}?${prefill}`}>
        Add note
      </a>
    </>
  )
}

/** The initials of a name, such as "JR" for Joan Redfern. */
function initials(name: string): string {
  const words = name.split(/[\s-]+/).filter((word) => /\p{L}/u.test(word))
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => Array.from(word ?? '')[0]?.toUpperCase() ?? '')
    .join('')
}

/** What a person is, and since when if a field says so: "Member since 2 Jul 2026". */
function describeSince({ properties, singularLabel }: CollectionInfo, values: ShownValues): string {
  const joined = properties.find(
    ({ label, type }) =>
      type === 'date' && /^(?:date )?joined|(?:member|volunteer|partner) since/i.test(label),
  )
  const day = joined && valueAt(values, joined.path)
  const kind = toLabel(singularLabel)
  return typeof day === 'string' ? `${kind} since ${formatShortDay(day)}` : kind
}
