import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { AsCall } from '../connect/as-call.tsx'
import { may } from '../may.ts'
import { Page } from '../page.tsx'
import { Tick } from '../parts/choices.tsx'
import { RowsRead } from '../parts/rows-read.tsx'
import { Said } from '../parts/said.tsx'
import type { Described } from './described.ts'
import { FindPerson } from './find-person.tsx'
import type { Listed } from './list.ts'
import { addressOf, apiQueryOf, type ListQuery, sizes } from './list-query.ts'
import { pathOfCollection, pathOfCsv, pathOfNew, pathOfRecords } from './paths.ts'
import { RecordTable } from './record-table.tsx'

type Props = {
  c: Context<DashboardEnv>
  described: Described
  query: ListQuery
  list: Listed
  notice: string | undefined
}

/** A page of a collection as a table, with what chooses its columns, filters and order. */
export function ListPage({ c, described, query, list, notice }: Props) {
  const { name, label, one } = described
  const path = pathOfCollection(c, name)
  const { filters } = query
  const filtered = new URLSearchParams(filters.map(([field, value]) => [field, value]))
  return (
    <Page
      c={c}
      title={label}
      beside={
        <>
          {may(c, 'write') && (
            <a class="button main" href={pathOfNew(c, name)}>
              New {one}
            </a>
          )}
          <a class="button" href={pathOfCsv(c, name, filtered)} download>
            Download CSV
          </a>
        </>
      }
    >
      <Said notice={notice} />
      {described.kind && <FindPerson action={`${pathOfRecords(c)}/search`} />}
      <section>
        <Filters described={described} query={query} path={path} />
        {list.warning && <p role="alert">{list.warning}</p>}
        <RecordTable c={c} described={described} query={query} records={list.records} />
        <Paging described={described} query={query} list={list} />
      </section>
      <AsCall c={c} name={name} plural={described.plural} query={apiQueryOf(query)} />
      <RowsRead c={c} />
    </Page>
  )
}

/** The filters there are, each to be taken off, and a form for one more; and the columns to choose from. */
function Filters({
  described,
  query,
  path,
}: Pick<Props, 'described' | 'query'> & { path: string }) {
  const { properties } = described
  const labelOf = (field: string) => {
    const known = properties.find(({ name }) => name === field)
    return known ? [known.section, known.label].filter(Boolean).join(': ') : field
  }
  return (
    <>
      {query.filters.length > 0 && (
        <div class="acts">
          {query.filters.map((filter) => (
            <a
              class="button"
              href={
                path +
                addressOf(query, described, {
                  filters: query.filters.filter((other) => other !== filter),
                })
              }
              aria-label={`${labelOf(filter[0])}: ${filter[1]}, take this filter off`}
            >
              {labelOf(filter[0])}: {filter[1]} <span aria-hidden="true">✕</span>
            </a>
          ))}
        </div>
      )}
      <div class="choosers">
        <details>
          <summary>Filter</summary>
          <form method="get" action={path} class="row">
            <Kept query={query} described={described} />
            <label>
              Field
              <select name="$field">
                {[{ name: described.id, label: 'Id', section: '' }, ...properties].map((it) => (
                  <option value={it.name}>
                    {it.section ? `${it.section}: ${it.label}` : it.label}
                  </option>
                ))}
              </select>
            </label>
            <label>
              Is exactly
              <input name="$value" required maxlength={256} autocomplete="off" />
            </label>
            <button type="submit">Add filter</button>
          </form>
        </details>
        <details>
          <summary>Columns</summary>
          <form method="get" action={path}>
            <Kept query={{ ...query, columns: described.usual }} described={described} />
            <div class="choices">
              {properties
                .filter(({ kind }) => kind !== 'other')
                .map(({ name }) => (
                  <Tick name="$columns" value={name} ticked={query.columns} label={labelOf(name)} />
                ))}
            </div>
            <button type="submit">Show these columns</button>
          </form>
        </details>
      </div>
    </>
  )
}

/** What of the list stays when a form asks for another. */
function Kept({ query, described }: Pick<Props, 'described' | 'query'>) {
  const kept = new URLSearchParams(addressOf(query, described, {}))
  return (
    <>
      {[...kept].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  )
}

function Paging({ described, query, list }: Pick<Props, 'described' | 'query' | 'list'>) {
  const { offset, size, sort } = query
  const { records, total, more, next } = list
  const first = offset + 1
  const range = `${first.toLocaleString('en-GB')} to ${(offset + records.length).toLocaleString('en-GB')}`
  const to = (changed: Partial<ListQuery>) => addressOf(query, described, changed)
  return (
    <nav class="head" aria-label="Pages">
      <span class="small">
        {records.length > 0 && !sort && range}
        {total !== undefined && ` of ${total.toLocaleString('en-GB')}`}
        {sort && 'In this order come the records that have a value there.'}
      </span>
      <div class="acts">
        {sizes
          .filter((other) => other !== size && (records.length === size || other < size))
          .map((other) => (
            <a class="button" href={to({ size: other })}>
              {other} a page
            </a>
          ))}
        {(offset > 0 || query.after) && (
          <a
            class="button"
            href={sort ? to({}) : to({ offset: Math.max(0, offset - size) })}
            rel="prev"
          >
            {sort ? 'To the start' : 'Previous'}
          </a>
        )}
        {more && (
          <a
            class="button"
            href={next ? to({ after: next }) : to({ offset: offset + size })}
            rel="next"
          >
            Next
          </a>
        )}
      </div>
    </nav>
  )
}
