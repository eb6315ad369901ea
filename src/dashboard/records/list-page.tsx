import type { Context } from 'hono'
import { valueTypes } from '../../model/properties/value-types.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { ApiCallExample } from '../connect/snippets.tsx'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Checkbox } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, RowsRead } from '../ui/page.tsx'
import { collectionPath, csvPath, newRecordPath, recordsPath } from '../ui/paths.ts'
import type { CollectionInfo } from './collection-info.ts'
import {
  formatListQuery,
  type ListedRecords,
  type ListQuery,
  pageSizes,
  toApiQuery,
} from './list.ts'
import { RecordTable } from './record-table.tsx'
import { PersonSearchForm } from './search-page.tsx'

type Props = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  query: ListQuery
  list: ListedRecords
  notice: string | undefined
  /** The address that undoes the action of the notice. */
  undo: string | undefined
}

/** Renders a page of a collection as a table, with filters, columns and sorting. */
export function ListPage({ c, collection, query, list, notice, undo }: Props) {
  const { name, label, singularLabel } = collection
  const path = collectionPath(c, name)
  const { filters } = query
  const filterQuery = new URLSearchParams(filters.map(([field, value]) => [field, value]))
  return (
    <Page
      c={c}
      title={label}
      actions={
        <>
          {can(c, 'write') && (
            <a class="button primary" href={newRecordPath(c, name)}>
              New {singularLabel}
            </a>
          )}
          <a class="button" href={csvPath(c, name, filterQuery)} download>
            Download CSV
          </a>
        </>
      }
    >
      <Notice message={notice} undo={undo} />
      {collection.kind && <PersonSearchForm action={`${recordsPath(c)}/search`} />}
      <section>
        <Filters collection={collection} query={query} path={path} />
        {list.warning && <p role="alert">{list.warning}</p>}
        <RecordTable c={c} collection={collection} query={query} records={list.records} />
        <Pagination collection={collection} query={query} list={list} />
      </section>
      <ApiCallExample c={c} name={name} plural={collection.plural} query={toApiQuery(query)} />
      <RowsRead c={c} />
    </Page>
  )
}

/** Renders the active filters with links that remove them, a form for another one, and the choice of columns. */
function Filters({
  collection,
  query,
  path,
}: Pick<Props, 'collection' | 'query'> & { path: string }) {
  const { properties } = collection
  const formatLabel = (field: string) => {
    const property = properties.find(({ name }) => name === field)
    return property ? [property.section, property.label].filter(Boolean).join(': ') : field
  }
  return (
    <>
      {query.filters.length > 0 && (
        <div class="buttons">
          {query.filters.map((filter) => (
            <a
              class="button"
              href={
                path +
                formatListQuery(query, collection, {
                  filters: query.filters.filter((other) => other !== filter),
                })
              }
              aria-label={`${formatLabel(filter[0])}: ${filter[1]}, remove this filter`}
            >
              {formatLabel(filter[0])}: {filter[1]} <span aria-hidden="true">✕</span>
            </a>
          ))}
        </div>
      )}
      <div class="list-controls">
        <details>
          <summary>Filter</summary>
          <form method="get" action={path} class="inline-fields">
            <HiddenQuery query={query} collection={collection} />
            <label>
              Field
              <select name="$field">
                {[{ name: collection.id, label: 'Id', section: '' }, ...properties].map(
                  (property) => (
                    <option value={property.name}>
                      {property.section ? `${property.section}: ${property.label}` : property.label}
                    </option>
                  ),
                )}
              </select>
            </label>
            <label>
              Equals
              <input name="$value" required maxlength={256} autocomplete="off" />
            </label>
            <button type="submit">Add filter</button>
          </form>
        </details>
        <details>
          <summary>Columns</summary>
          <form method="get" action={path}>
            <HiddenQuery
              query={{ ...query, columns: collection.defaultColumns }}
              collection={collection}
            />
            <div class="checkboxes">
              {properties
                .filter(({ type }) => valueTypes[type].control)
                .map(({ name }) => (
                  <Checkbox
                    name="$columns"
                    value={name}
                    checkedValues={query.columns}
                    label={formatLabel(name)}
                  />
                ))}
            </div>
            <button type="submit">Apply columns</button>
          </form>
        </details>
      </div>
    </>
  )
}

/** Renders hidden inputs for the rest of the query. */
function HiddenQuery({ query, collection }: Pick<Props, 'collection' | 'query'>) {
  const params = new URLSearchParams(formatListQuery(query, collection, {}))
  return (
    <>
      {[...params].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  )
}

function Pagination({ collection, query, list }: Pick<Props, 'collection' | 'query' | 'list'>) {
  const { offset, size, sort } = query
  const { records, total, hasMore, nextCursor } = list
  const first = offset + 1
  const range = `${formatNumber(first)} to ${formatNumber(offset + records.length)}`
  const linkTo = (changed: Partial<ListQuery>) => formatListQuery(query, collection, changed)
  return (
    <nav class="heading-row" aria-label="Pages">
      <span class="small">
        {records.length > 0 && !sort && range}
        {total !== undefined && ` of ${formatNumber(total)}`}
        {sort && 'Only records with a value in this field.'}
      </span>
      <div class="buttons">
        {pageSizes
          .filter(
            (otherSize) => otherSize !== size && (records.length === size || otherSize < size),
          )
          .map((otherSize) => (
            <a class="button" href={linkTo({ size: otherSize })}>
              {otherSize} per page
            </a>
          ))}
        {(offset > 0 || query.after) && (
          <a
            class="button"
            href={sort ? linkTo({}) : linkTo({ offset: Math.max(0, offset - size) })}
            rel="prev"
          >
            {sort ? 'First page' : 'Previous'}
          </a>
        )}
        {hasMore && (
          <a
            class="button"
            href={nextCursor ? linkTo({ after: nextCursor }) : linkTo({ offset: offset + size })}
            rel="next"
          >
            Next
          </a>
        )}
      </div>
    </nav>
  )
}
