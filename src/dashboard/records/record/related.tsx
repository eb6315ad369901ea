import type { Context } from 'hono'
import { formatShortMoment } from '../../../model/dates.ts'
import { valueAt } from '../../../model/json.ts'
import { referencedIds } from '../../../model/references.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import {
  type CollectionInfo,
  recordTitle,
  type ShownValues,
} from '../../collection/collection-info.ts'
import { isTechnical } from '../../collection/property-formats.ts'
import type { ReferencingRecords } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { collectionPath, recordPath } from '../../ui/paths.ts'
import { DataTable, type TableColumn } from '../../ui/table.tsx'
import { isNumeric, Value } from '../../ui/value.tsx'
import { AttendanceText, countMarks } from './bookings.tsx'
import { findReferencesFrom } from './facts.tsx'
import type { RecordView } from './load.ts'
import type { FindTitle } from './titles.ts'

type Props = {
  c: Context<DashboardEnv>
  group: ReferencingRecords
  view: Pick<RecordView, 'record' | 'findTitle' | 'attendance'>
}

/** Renders records that refer to a record: the first ones in a table, and a link to all. */
export function RelatedRecords({ c, group, view }: Props) {
  const { collection, first, total } = group
  const isBooking = collection.name === 'bookings'
  return (
    <section class="section">
      <h2>
        {collection.label} <small>{formatNumber(total)}</small>
        {isBooking && total <= first.length && (
          <>
            {' '}
            <small>{countMarks([...view.attendance.values()])}</small>
          </>
        )}
      </h2>
      <DataTable
        label={collection.label}
        columns={[
          {
            heading: 'Name',
            cell: (values) => (
              <a href={recordPath(c, collection.name, String(values[collection.id]))}>
                {rowTitle(collection, values, view.findTitle)}
              </a>
            ),
          },
          ...listColumns(collection, view.attendance),
        ]}
        rows={first}
      />
      {total > first.length && (
        <p class="after">
          <a href={`${collectionPath(c, collection.name)}?${listQuery(group, view)}`}>
            All {formatNumber(total)} {collection.label.toLowerCase()}
          </a>
        </p>
      )}
    </section>
  )
}

const maxColumns = 3
const inName = ['name', 'title', 'userName', 'identifier']

/** The columns besides the name: those of the list; a booking says whether the person came. */
function listColumns(
  { name, defaultColumns, properties }: CollectionInfo,
  known: RecordView['attendance'],
): TableColumn<ShownValues>[] {
  const isBooking = name === 'bookings'
  const shown = defaultColumns.filter(
    (column) =>
      !inName.includes(column) &&
      !isTechnical(column) &&
      !(isBooking && ['userStatus', 'attending'].includes(column)),
  )
  const columns = shown
    .flatMap((column) => properties.find((property) => property.name === column) ?? [])
    .slice(0, maxColumns)
    .map((property) => ({
      heading: property.label,
      isNumber: isNumeric(property),
      cell: (values: ShownValues) => (
        <Value
          {...property}
          value={valueAt(values, property.path)}
          currency={typeof values.currency === 'string' ? values.currency : undefined}
        />
      ),
    }))
  const attendance = {
    heading: 'Attendance',
    isNumber: true,
    cell: (values: ShownValues) => (
      <AttendanceText attendance={known.get(String(values.bookingId))} />
    ),
  }
  return isBooking ? [...columns, attendance] : columns
}

/** The name of a row: of bookings and answers that of the people, of payments their reference. */
function rowTitle(collection: CollectionInfo, values: ShownValues, findTitle: FindTitle): string {
  const { userName, identifier } = values
  if (typeof userName === 'string' && userName) return userName
  const people = findReferencesFrom(collection.name)
    .filter(({ optional }) => optional)
    .flatMap((reference) =>
      referencedIds(reference, values).map(({ id }) => findTitle(reference.to, id)?.title ?? ''),
    )
    .filter(Boolean)
  if (people.length > 0) return people.join(', ')
  if (collection.name === 'disbursements' && identifier) return String(identifier)
  return recordTitle(collection, values)
}

/** The query of the list with all of the records. For an occurrence, these name it as `childEventId`. */
function listQuery({ references }: ReferencingRecords, { record }: Props['view']): URLSearchParams {
  const isOccurrence = typeof record.values.parentEventId === 'string'
  const child = references.find(({ path }) => path === 'childEventId')
  const reference = isOccurrence && child ? child : references[0]
  return new URLSearchParams({ [reference?.path ?? '']: record.id })
}

type OccurrencesProps = {
  c: Context<DashboardEnv>
  occurrences: RecordView['occurrences']
  id: string
}

/** Renders the dates of an event that recurs. */
export function Occurrences({ c, occurrences: { first, total }, id }: OccurrencesProps) {
  return (
    <section class="section">
      <h2>
        Dates <small>{formatNumber(total)}</small>
      </h2>
      <ul class="stack">
        {first.map(({ eventId, name, start }) => (
          <li>
            <a href={recordPath(c, 'events', String(eventId))}>
              {start ? formatShortMoment(String(start)) : String(name || 'Event')}
            </a>
          </li>
        ))}
      </ul>
      {total > first.length && (
        <p class="after">
          <a href={`${collectionPath(c, 'events')}?${new URLSearchParams({ parentEventId: id })}`}>
            All {formatNumber(total)} dates
          </a>
        </p>
      )}
    </section>
  )
}
