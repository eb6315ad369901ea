import type { Context } from 'hono'
import type { CollectionInfo, ShownProperty } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { collectionPath } from '../../ui/paths.ts'
import { ColumnsPanel } from './columns-panel.tsx'
import type { FilterField } from './filter-fields.ts'
import { FilterPanel } from './filter-panel.tsx'
import { describeFilter, type FilterProperty } from './list-filters.ts'
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
  return (
    <form method="get" action={collectionPath(c, collection.name)} class="toolbar">
      <HiddenView view={view} collection={collection} />
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
          {...{ collection, view, fields, properties }}
          clearPath={link({ filters: [], panel: 'filter' })}
        />
      ) : (
        <a class="button" href={link({ panel: 'filter', offset: view.offset })}>
          <Icon name="filter" />
          Filter
          {filters.length > 0 && <span class="narrow-only tag">{filters.length}</span>}
        </a>
      )}
      {filters.map((filter) => {
        const words = describeFilter(filter)
        const others = filters.filter((other) => other !== filter)
        return (
          <span class="chip wide-only">
            <a href={link({ panel: 'filter' })}>{words}</a>
            <a href={link({ filters: others })} aria-label={`Remove filter: ${words}`}>
              <Icon name="close" />
            </a>
          </span>
        )
      })}
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
        <SaveView {...{ c, collection, view, views }} />
      </div>
    </form>
  )
}

/** Renders the parts of the view that the form does not show as hidden inputs. */
function HiddenView({ view, collection }: Pick<Props, 'view' | 'collection'>) {
  const { panel, filters } = view
  const shown = {
    ...{ search: '', panel: undefined },
    ...(panel === 'filter' && { filters: [] }),
    ...(panel === 'columns' && { columns: collection.defaultColumns, size: 25 }),
  }
  const params = new URLSearchParams(formatListView({ ...view, filters }, collection, shown))
  return (
    <>
      {[...params].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  )
}

/** Returns the label and placeholder of the search. */
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
        describeOrders(property).map((words, index) => {
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

/** Returns the ascending and the descending order of a property in words. */
function describeOrders({ type }: ShownProperty): readonly [string, string] {
  if (type === 'date' || type === 'time') return ['oldest first', 'newest first']
  if (type === 'number') return ['smallest first', 'largest first']
  return type === 'boolean' ? ['No first', 'Yes first'] : ['A to Z', 'Z to A']
}
