import { valueTypes } from '../../../model/value-types.ts'
import type { CollectionInfo, ShownProperty } from '../../collection/collection-info.ts'
import type { FilterError, FilterProperty, ListFilter } from '../../filters/filter.ts'
import { readPanel } from '../../filters/filter-panel.tsx'
import { formatFilters, parseListFilters } from '../../filters/filters.ts'
import { hasOrder } from '../../ui/value-kinds.ts'
import { viewParameter } from '../../views/view-paths.ts'

/** The state of a list page, which is its query string: parameters that begin with `$`, and filters. */
export type ListView = {
  filters: readonly ListFilter[]
  errors: readonly FilterError[]
  /** The text in the search field. */
  search: string
  order: { name: string; isDescending: boolean } | undefined
  columns: readonly string[]
  size: number
  /** The number of records before the page, and the `$skiptoken` that it continues after, if any: skipping costs reads. */
  offset: number
  token: string | undefined
  /** The panel that is open. */
  panel: 'filter' | 'columns' | undefined
  /** The id of the saved view that the list began with; '' for none. */
  savedView: string
}

export const pageSizes = [25, 50, 100] as const
const maxSearchCharacters = 100
/** The highest offset in an order; beyond it, each page would read thousands of rows. */
export const maxOffset = 10_000

/** Parses the query of a list page. Ignores invalid page parameters, and reports invalid filters. */
export function parseListView(
  params: URLSearchParams,
  collection: CollectionInfo,
  properties: readonly FilterProperty[],
): ListView {
  const { filters, errors } = parseListFilters(params, properties)
  const columns = params
    .getAll('$columns')
    .filter((name) => collection.properties.some((property) => property.name === name))
  const offset = Math.trunc(Number(params.get('$offset')))
  const order = parseOrder(params.get('$orderby'), collection) ?? collection.defaultOrder
  return {
    filters,
    errors,
    search: (params.get('$search') ?? '').trim().slice(0, maxSearchCharacters),
    order,
    columns: columns.length > 0 ? [...new Set(columns)] : collection.defaultColumns,
    size: pageSizes.find((size) => String(size) === params.get('$size')) ?? pageSizes[0],
    offset: Math.min(Math.max(0, offset || 0), maxOffset),
    token: params.get('$skiptoken') ?? undefined,
    panel: readOpenPanel(params),
    savedView: params.get(viewParameter)?.slice(0, 36) ?? '',
  }
}

function readOpenPanel(params: URLSearchParams): ListView['panel'] {
  if (readPanel(params).isOpen) return 'filter'
  return params.get('$panel') === 'columns' ? 'columns' : undefined
}

/** Formats a changed view as a query string with `?`. A change starts at the first page, unless it sets the offset. */
export function formatListView(
  view: ListView,
  collection: CollectionInfo,
  changed: Partial<ListView> = {},
): string {
  const { filters, search, order, columns, size, offset, panel, savedView } = {
    ...view,
    offset: 0,
    panel: undefined,
    ...changed,
  }
  const params = formatFilters(filters)
  if (search) params.set('$search', search)
  const { defaultOrder } = collection
  if (order?.name !== defaultOrder?.name || order?.isDescending !== defaultOrder?.isDescending)
    params.set('$orderby', formatOrder(order))
  if (columns.join('\n') !== collection.defaultColumns.join('\n'))
    for (const column of columns) params.append('$columns', column)
  if (size !== pageSizes[0]) params.set('$size', String(size))
  if (offset > 0) params.set('$offset', String(offset))
  if (panel) params.set('$panel', panel)
  if (savedView) params.set(viewParameter, savedView)
  return `?${params}`
}

/** Whether lists can be ordered by a property. */
export const isSortable = (property: ShownProperty) => !property.isTechnical && hasOrder(property)

/** The properties that a table can show as columns. With the id, a downloaded file can be imported again. */
export const listColumns = ({ properties, id }: CollectionInfo) =>
  properties.filter(
    ({ name, isTechnical, type }) => (name === id || !isTechnical) && valueTypes[type].control,
  )

const formatOrder = (order: ListView['order']) =>
  order ? `${order.name}${order.isDescending ? ' desc' : ''}` : ''

function parseOrder(text: string | null, { properties }: CollectionInfo): ListView['order'] {
  const name = text?.replace(/ (?:asc|desc)$/, '')
  const property = properties.find((candidate) => candidate.name === name)
  if (!property || !isSortable(property)) return undefined
  return { name: property.name, isDescending: text?.endsWith(' desc') === true }
}
