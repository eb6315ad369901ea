import type { Context } from 'hono'
import { valueAt } from '../../../model/json.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { formatTime } from '../../ui/format-value.ts'
import { collectionPath, recordPath } from '../../ui/paths.ts'
import { isNumeric, Value } from '../../ui/value.tsx'
import { type CollectionInfo, recordTitle, type Values } from '../collection-info.ts'
import { isTechnical } from '../property-formats.ts'
import type { ReferencingRecords } from '../read.ts'
import type { RecordView } from './load.ts'
import type { FindTitle } from './titles.ts'

const maxColumns = 3

type Props = {
  c: Context<DashboardEnv>
  group: ReferencingRecords
  view: Pick<RecordView, 'record' | 'findTitle'>
}

/** Renders records that refer to a record: the first ones in a table, and a link to all. */
export function RelatedRecords({ c, group, view }: Props) {
  const { collection, first, total } = group
  const columns = listColumns(collection)
  return (
    <section class="section">
      <h2>
        {collection.label} <small>{formatNumber(total)}</small>
      </h2>
      <div class="scroll">
        <table>
          <caption class="visually-hidden">{collection.label}</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              {columns.map((property) => (
                <th scope="col" class={isNumeric(property) ? 'number' : undefined}>
                  {property.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {first.map((values) => (
              <tr>
                <th scope="row">
                  <a href={recordPath(c, collection.name, String(values[collection.id]))}>
                    {rowTitle(collection, values, view.findTitle)}
                  </a>
                </th>
                {columns.map((property) => (
                  <td class={isNumeric(property) ? 'number' : undefined}>
                    <Value
                      {...property}
                      value={valueAt(values, property.path)}
                      currency={typeof values.currency === 'string' ? values.currency : undefined}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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

/** Returns the columns besides the name: those of the list that mean something to people. */
const listColumns = ({ defaultColumns, properties }: CollectionInfo) =>
  defaultColumns
    .filter(
      (name) => !['name', 'title', 'userName', 'identifier'].includes(name) && !isTechnical(name),
    )
    .flatMap((name) => properties.find((property) => property.name === name) ?? [])
    .slice(0, maxColumns)

/** Returns the name of a row: a booking has that of the person, answers that of the form. */
function rowTitle(collection: CollectionInfo, values: Values, findTitle: FindTitle): string {
  const { userName, memberId } = values
  if (collection.name !== 'bookings') return recordTitle(collection, values)
  const member = findTitle('members', String(memberId))?.title
  return (typeof userName === 'string' && userName) || member || 'Somebody without a name'
}

/** Returns the query of the list with all of the records. For an occurrence, these name it as `childEventId`. */
function listQuery({ references }: ReferencingRecords, { record }: Props['view']): URLSearchParams {
  const isOccurrence = typeof record.values.parentEventId === 'string'
  const reference =
    (isOccurrence && references.find(({ path }) => path === 'childEventId')) || references[0]
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
              {start ? formatTime(String(start)) : String(name || 'Event')}
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
