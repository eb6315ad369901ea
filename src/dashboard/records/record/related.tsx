import type { Context } from 'hono'
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
  const summary = rowsOf(collection.name).summarise?.(group, view)
  return (
    <section class="section">
      <h2>
        {collection.label} <small>{formatNumber(total)}</small>
        {summary && (
          <>
            {' '}
            <small>{summary}</small>
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
          ...listColumns(collection, view),
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

/** How rows of a collection differ from those of its list. */
type RelatedRows = {
  /** The name of a row, if it has one. */
  title?(values: ShownValues): unknown
  /** The columns of the list that another column replaces. */
  omitted?: readonly string[]
  lastColumn?(view: Props['view']): TableColumn<ShownValues>
  summarise?(group: ReferencingRecords, view: Props['view']): string | false
}

const relatedRows: Readonly<Record<string, RelatedRows>> = {
  bookings: {
    title: ({ userName }) => userName,
    omitted: ['userStatus', 'attending'],
    lastColumn: ({ attendance }) => ({
      heading: 'Attendance',
      isRightAligned: true,
      cell: ({ bookingId }) => <AttendanceText attendance={attendance.get(String(bookingId))} />,
    }),
    summarise: ({ total, first }, { attendance }) =>
      total <= first.length && countMarks([...attendance.values()]),
  },
  disbursements: { title: ({ identifier }) => identifier },
}

const rowsOf = (name: string): RelatedRows => relatedRows[name] ?? {}

const maxColumns = 3
const inName = ['name', 'title', 'userName', 'identifier']

/** The columns besides the name. */
function listColumns(
  { name, defaultColumns, properties }: CollectionInfo,
  view: Props['view'],
): TableColumn<ShownValues>[] {
  const { omitted = [], lastColumn } = rowsOf(name)
  const columns = defaultColumns
    .filter((column) => ![...inName, ...omitted].includes(column) && !isTechnical(column))
    .flatMap((column) => properties.find((property) => property.name === column) ?? [])
    .slice(0, maxColumns)
    .map((property) => ({
      heading: property.label,
      isRightAligned: isNumeric(property),
      cell: (values: ShownValues) => (
        <Value
          {...property}
          value={valueAt(values, property.path)}
          currency={typeof values.currency === 'string' ? values.currency : undefined}
        />
      ),
    }))
  return lastColumn ? [...columns, lastColumn(view)] : columns
}

/** The name of a row: its own, or that of the people whom it concerns. */
function rowTitle(collection: CollectionInfo, values: ShownValues, findTitle: FindTitle): string {
  const title = rowsOf(collection.name).title?.(values)
  if (typeof title === 'string' && title) return title
  const people = findReferencesFrom(collection.name)
    .filter(({ optional }) => optional)
    .flatMap((reference) =>
      referencedIds(reference, values).map(({ id }) => findTitle(reference.to, id)?.title ?? ''),
    )
    .filter(Boolean)
  return people.join(', ') || recordTitle(collection, values)
}

/** The query of the list with all of the records. For an occurrence, these name it as `childEventId`. */
function listQuery({ references }: ReferencingRecords, { record }: Props['view']): URLSearchParams {
  const isOccurrence = typeof record.values.parentEventId === 'string'
  const child = references.find(({ path }) => path === 'childEventId')
  const reference = isOccurrence && child ? child : references[0]
  return new URLSearchParams({ [reference?.path ?? '']: record.id })
}
