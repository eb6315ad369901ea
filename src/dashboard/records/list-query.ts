import type { SortedCursor } from '../../store/read/sorted.ts'
import type { CollectionInfo } from './described.ts'

/** The state of a list page. In its URL, parameters of the page begin with `$` and all others are filters. */
export type ListQuery = {
  filters: readonly [field: string, value: string][]
  columns: readonly string[]
  size: number
  offset: number
  sort: { field: string; descending: boolean } | undefined
  after: SortedCursor | undefined
}

export const pageSizes = [25, 50, 100] as const

/** Parses the query of a list page. Ignores invalid parameters. */
export function parseListQuery(params: URLSearchParams, collection: CollectionInfo): ListQuery {
  const knownNames = new Set(collection.properties.map(({ name }) => name))
  const chosenColumns = params.getAll('$columns').filter((name) => knownNames.has(name))
  const sort = params.get('$sort') ?? ''
  const field = sort.replace(/^-/, '')
  const filters = [...params].filter(([name, value]) => !name.startsWith('$') && value !== '')
  const [addedField, value] = [params.get('$field'), params.get('$value')?.trim()]
  const allFilters =
    addedField && value
      ? [...filters.filter(([name]) => name !== addedField), [addedField, value]]
      : filters
  return {
    filters: allFilters as [string, string][],
    columns: chosenColumns.length > 0 ? chosenColumns : collection.defaultColumns,
    size: pageSizes.find((size) => String(size) === params.get('$size')) ?? pageSizes[0],
    offset: Math.max(0, Math.trunc(Number(params.get('$offset')))) || 0,
    sort:
      knownNames.has(field) && allFilters.length === 0
        ? { field, descending: sort.startsWith('-') }
        : undefined,
    after: parseCursor(params.get('$after')),
  }
}

/** Formats the query of a list page with changes. Returns to the first page unless they set `offset` or `after`. */
export function formatListQuery(
  query: ListQuery,
  collection: CollectionInfo,
  changed: Partial<ListQuery>,
) {
  const { filters, columns, size, sort, offset, after } = {
    ...query,
    offset: 0,
    after: undefined,
    ...changed,
  }
  const params = new URLSearchParams(filters.map(([name, value]) => [name, value]))
  if (columns.join() !== collection.defaultColumns.join())
    for (const column of columns) params.append('$columns', column)
  if (size !== pageSizes[0]) params.set('$size', String(size))
  if (sort) params.set('$sort', `${sort.descending ? '-' : ''}${sort.field}`)
  if (offset > 0) params.set('$offset', String(offset))
  if (after) params.set('$after', JSON.stringify([after.value, after.ordinal]))
  return `?${params}`
}

/** Builds the API's query for the same records. */
export function toApiQuery({ filters, size, offset }: ListQuery, limit = size): URLSearchParams {
  const params = new URLSearchParams(filters.map(([name, value]) => [name, value]))
  params.set('limit', String(limit))
  if (offset > 0) params.set('offset', String(offset))
  return params
}

function parseCursor(text: string | null): SortedCursor | undefined {
  try {
    const [value, ordinal] = JSON.parse(text ?? '[]')
    const isCursor = ['string', 'number'].includes(typeof value) && Number.isSafeInteger(ordinal)
    return isCursor && ordinal >= 0 ? { value, ordinal } : undefined
  } catch {
    return undefined
  }
}
