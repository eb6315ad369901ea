import type { Context } from 'hono'
import { valueAt } from '../../model/json.ts'
import { valueTypes } from '../../model/properties/value-types.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { collectionPath, recordPath } from '../ui/paths.ts'
import { ScrollRegion } from '../ui/table.tsx'
import { isEmpty, Value } from '../ui/value.tsx'
import { type CollectionInfo, recordTitle, type Values } from './collection-info.ts'
import { formatListQuery, type ListQuery } from './list.ts'

type Props = { c: Context<DashboardEnv>; collection: CollectionInfo; query: ListQuery }

/** Renders records as a table with links. Headings sort if the index supports it. */
export function RecordTable({
  c,
  collection,
  query,
  records,
}: Props & { records: readonly Values[] }) {
  const columns = query.columns.flatMap(
    (column) => collection.properties.find(({ name }) => name === column) ?? [],
  )
  if (records.length === 0)
    return <p>No records{query.filters.length > 0 && ' match these filters'}.</p>
  const [firstColumn, ...otherColumns] = columns
  return (
    <ScrollRegion label={collection.label}>
      <table>
        <thead>
          <tr>
            {columns.map((property) => (
              <ColumnHeading c={c} collection={collection} query={query} property={property} />
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((values) => {
            const firstValue = firstColumn && valueAt(values, firstColumn.path)
            return (
              <tr>
                <th scope="row">
                  <a href={recordPath(c, collection.name, String(values[collection.id]))}>
                    {firstColumn && !isEmpty(firstValue) ? (
                      <Value value={firstValue} type={firstColumn.type} />
                    ) : (
                      recordTitle(collection, values)
                    )}
                  </a>
                </th>
                {otherColumns.map(({ path, type }) => (
                  <td class={type === 'number' ? 'number' : undefined}>
                    <span class="truncate">
                      <Value value={valueAt(values, path)} type={type} />
                    </span>
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function ColumnHeading({
  c,
  collection,
  query,
  property: { name, label, type },
}: Props & { property: CollectionInfo['properties'][number] }) {
  const isSorted = query.sort?.field === name
  const isSortable =
    query.filters.length === 0 && type !== 'boolean' && valueTypes[type].control !== undefined
  const sort = { field: name, descending: isSorted && !query.sort?.descending }
  const order = query.sort?.descending ? 'descending' : 'ascending'
  return (
    <th
      scope="col"
      class={type === 'number' ? 'number' : undefined}
      aria-sort={isSorted ? order : undefined}
    >
      {isSortable ? (
        <a
          class={isSorted ? 'sort current' : 'sort'}
          href={collectionPath(c, collection.name) + formatListQuery(query, collection, { sort })}
        >
          {label}
          {isSorted && (order === 'ascending' ? ' ↑' : ' ↓')}
        </a>
      ) : (
        label
      )}
    </th>
  )
}
