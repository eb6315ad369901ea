import type { Child } from 'hono/jsx'
import { collectionLabel } from '../../../model/collection.ts'
import { formatShortDay } from '../../../model/dates.ts'
import { valueAt } from '../../../model/json.ts'
import { toLabel } from '../../../model/properties/compile.ts'
import type { CollectionInfo, ShownValues } from '../../collection/collection-info.ts'
import { can } from '../../session/permissions.ts'
import { formatValue } from '../../ui/format-value.ts'
import { newRecordPath, recordPath } from '../../ui/paths.ts'
import { findLastCame, maxShownBookings, PersonBookings } from './bookings.tsx'
import { PersonGrants } from './grants.tsx'
import { LatestHistory } from './history.tsx'
import { findRelated, type RecordView } from './load.ts'
import { PersonAnswers, PersonNotes } from './notes.tsx'
import { groupPersonFacts, PersonFacts } from './person-facts.tsx'
import type { RecordLayout, RecordSection, RecordViewProps, RelatedProps } from './record-layout.ts'
import { PersonMenu } from './record-menu.tsx'

const maxShown = 5

/** A section with the records of a collection that refer to the person. */
const relatedSection = (
  id: string,
  from: string,
  Related: (props: RelatedProps) => Child,
): RecordSection => ({
  isShown: (view) => findRelated(view, from) !== undefined,
  link: { id, name: collectionLabel(from), count: (view) => findRelated(view, from)?.total ?? 0 },
  Content: (props) => {
    const group = findRelated(props.view, from)
    return group && <Related {...props} group={group} />
  },
})

const related = [
  relatedSection('bookings', 'bookings', PersonBookings),
  relatedSection('notes', 'case-notes', PersonNotes),
  relatedSection('answers', 'survey-responses', PersonAnswers),
]

/** The page of a person: bookings, notes, answers, grants and history, with contact details beside them. */
export const personLayout: RecordLayout = {
  reads: {
    maxRelated: (from) => (from === 'bookings' ? maxShownBookings : maxShown),
    maxGrants: maxShown,
  },
  hasInitials: true,
  lead: PersonLead,
  actions: PersonActions,
  sections: [
    ...related,
    {
      isShown: ({ grants }) => grants.length > 0,
      link: { id: 'grants', name: 'Grants', count: ({ grants }) => grants.length },
      Content: PersonGrants,
    },
    {
      isShown: (view) => !related.some(({ isShown }) => isShown?.(view)),
      Content: ({ view }) => (
        <p>This {view.collection.singularLabel} has no bookings, notes or answers yet.</p>
      ),
    },
    { link: { id: 'history', name: 'History' }, Content: LatestHistory },
  ],
  Aside: ({ c, view: { collection, record, findTitle } }) => (
    <PersonFacts c={c} collection={collection} values={record.values} findTitle={findTitle} />
  ),
}

/** Renders what a person is, when they last came, and their tags. */
function PersonLead({ view }: RecordViewProps) {
  const { collection, record } = view
  const { tags } = groupPersonFacts(collection, record.values)
  return (
    <>
      {[describeSince(collection, record.values), describeLastCame(view)]
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
  )
}

function describeLastCame(view: RecordView): string | undefined {
  const day = findLastCame(findRelated(view, 'bookings')?.first ?? [], view.attendance)
  return day && `Last came ${day}`
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

const addLink = ({ c, view: { collection, record } }: RecordViewProps, name: string) =>
  `${newRecordPath(c, name)}?${new URLSearchParams({ [collection.singularLabel]: record.id })}`

type PersonActionsProps = RecordViewProps & {
  /** A button before the others. */
  children?: Child
}

function PersonActions({ children, ...props }: PersonActionsProps) {
  const { c, view } = props
  const { collection, record } = view
  if (!can(c, 'write')) return null
  return (
    <>
      {children}
      <a class="button" href={`${recordPath(c, collection.name, record.id)}/edit`}>
        Edit
      </a>
      <PersonMenu c={c} collection={collection} id={record.id} />
      <a class="button primary" href={addLink(props, 'case-notes')}>
        Add note
      </a>
    </>
  )
}

/** The page of a member, who can be booked onto events. */
export const memberLayout: RecordLayout = {
  ...personLayout,
  actions: (props) =>
    PersonActions({
      ...props,
      children: (
        <a class="button" href={addLink(props, 'bookings')}>
          Book onto an event
        </a>
      ),
    }),
}
