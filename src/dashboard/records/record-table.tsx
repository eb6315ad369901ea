import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { valueAt } from '../../model/value-at.ts'
import { Wide } from '../page.tsx'
import { type Described, titleOf, type Values } from './described.ts'
import { addressOf, type ListQuery } from './list-query.ts'
import { pathOfCollection, pathOfRecord } from './paths.ts'
import { isNone, Value } from './value.tsx'

type Props = { c: Context<DashboardEnv>; described: Described; query: ListQuery }

/** Records as rows, each led by a link to the whole of it; the headings sort where the index can. */
export function RecordTable({
  c,
  described,
  query,
  records,
}: Props & { records: readonly Values[] }) {
  const columns = query.columns.flatMap(
    (column) => described.properties.find(({ name }) => name === column) ?? [],
  )
  if (records.length === 0) return <p>There are none{query.filters.length > 0 && ' like that'}.</p>
  const [lead, ...others] = columns
  return (
    <Wide label={described.label}>
      <table>
        <thead>
          <tr>
            {columns.map((property) => (
              <Heading c={c} described={described} query={query} property={property} />
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((values) => {
            const shown = lead && valueAt(values, lead.path)
            return (
              <tr>
                <th scope="row">
                  <a href={pathOfRecord(c, described.name, String(values[described.id]))}>
                    {lead && !isNone(shown) ? (
                      <Value value={shown} kind={lead.kind} />
                    ) : (
                      titleOf(described, values)
                    )}
                  </a>
                </th>
                {others.map(({ path, kind }) => (
                  <td class={kind === 'number' ? 'number' : undefined}>
                    <span class="clip">
                      <Value value={valueAt(values, path)} kind={kind} />
                    </span>
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </Wide>
  )
}

function Heading({
  c,
  described,
  query,
  property: { name, label, kind },
}: Props & { property: Described['properties'][number] }) {
  const isSorted = query.sort?.field === name
  const isSortable = query.filters.length === 0 && kind !== 'boolean' && kind !== 'other'
  const sort = { field: name, descending: isSorted && !query.sort?.descending }
  const order = query.sort?.descending ? 'descending' : 'ascending'
  return (
    <th
      scope="col"
      class={kind === 'number' ? 'number' : undefined}
      aria-sort={isSorted ? order : undefined}
    >
      {isSortable ? (
        <a
          class={isSorted ? 'sort now' : 'sort'}
          href={pathOfCollection(c, described.name) + addressOf(query, described, { sort })}
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
