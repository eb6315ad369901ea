import type { Context } from 'hono'
import type { CollectionInfo } from '../../collection/collection-info.ts'
import type { FilterProperty } from '../../filters/filter.ts'
import {
  FilterChips,
  type FilterField,
  type FilterLink,
  FilterPanel,
} from '../../filters/filter-panel.tsx'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Form, groupValues, type HiddenValues } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { collectionPath } from '../../ui/paths.ts'
import { valueKinds } from '../../ui/value-kinds.ts'
import { ColumnsPanel } from './columns-panel.tsx'
import { type ListViews, SaveView } from './saved-views.tsx'
import { formatListView, isSortable, type ListView } from './view.ts'

type Props = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  view: ListView
  /** The fields of the open filter panel, and the others that it offers. */
  fields: readonly FilterField[]
  properties: readonly FilterProperty[]
  views: ListViews
}

/** Renders the controls above a list: search, filters, order and columns, in one form that works without a script. */
export function Toolbar({ c, collection, view, fields, properties, views }: Props) {
  const { filters, panel } = view
  const link = (changed: Partial<ListView>) => formatListView(view, collection, changed)
  const filterLink: FilterLink = (filters, opensPanel) =>
    link({ filters, panel: opensPanel ? 'filter' : undefined })
  return (
    <Form
      method="get"
      action={collectionPath(c, collection.name)}
      hidden={toHidden(view, collection)}
      class="toolbar"
    >
      {/* Enter in any field uses a form's first button. */}
      <button type="submit" class="visually-hidden" tabindex={-1}>
        Search
      </button>
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          name="$search"
          value={view.search}
          maxlength={100}
          autocomplete="off"
          {...describeSearch(collection)}
        />
      </div>
      {panel === 'filter' ? (
        <FilterPanel
          c={c}
          filters={filters}
          fields={fields}
          properties={properties}
          shown={collection.label.toLowerCase()}
          link={filterLink}
        />
      ) : (
        <a class="button" href={link({ panel: 'filter', offset: view.offset })}>
          <Icon name="filter" />
          Filter
          {filters.length > 0 && <span class="narrow-only tag">{filters.length}</span>}
        </a>
      )}
      <FilterChips filters={filters} link={filterLink} class="chip wide-only" />
      <div class="row end views">
        <SortMenu collection={collection} view={view} />
        {panel === 'columns' ? (
          <ColumnsPanel collection={collection} view={view} />
        ) : (
          <a class="button plain" href={link({ panel: 'columns', offset: view.offset })}>
            <Icon name="columns" />
            Columns
          </a>
        )}
        <SaveView c={c} collection={collection} view={view} views={views} />
      </div>
    </Form>
  )
}

/** The parts of the view that the form does not show. */
function toHidden(view: ListView, collection: CollectionInfo): HiddenValues {
  const { panel } = view
  const shown = {
    search: '',
    panel: undefined,
    ...(panel === 'filter' && { filters: [] }),
    ...(panel === 'columns' && { columns: collection.defaultColumns, size: 25 }),
  }
  return groupValues(new URLSearchParams(formatListView(view, collection, shown)))
}

/** The label and placeholder of the search. */
function describeSearch({ kind, label }: CollectionInfo) {
  if (kind)
    return {
      'aria-label': 'Search by name, e-mail, phone or postcode',
      placeholder: 'Name, e-mail, phone or postcode',
    }
  const words = `Search ${label.toLowerCase()}`
  return { 'aria-label': words, placeholder: words }
}

function SortMenu({ collection, view }: Pick<Props, 'collection' | 'view'>) {
  const { order, columns } = view
  const sortable = collection.properties.filter(
    (property) =>
      isSortable(property) && (columns.includes(property.name) || property.name === order?.name),
  )
  const current = sortable.find(({ name }) => name === order?.name)
  return (
    <Menu label={current ? `Sort: ${current.label}` : 'Sort'} class="plain">
      {sortable.flatMap((property) =>
        (valueKinds[property.type].orders ?? []).map((words, index) => {
          const changed = { name: property.name, isDescending: index === 1 }
          const isCurrent =
            order?.name === changed.name && order.isDescending === changed.isDescending
          return (
            <li>
              <a
                href={formatListView(view, collection, { order: changed })}
                aria-current={isCurrent ? 'true' : undefined}
              >
                {property.label}, {words}
              </a>
            </li>
          )
        }),
      )}
    </Menu>
  )
}
