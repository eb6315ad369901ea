import type { Context } from 'hono'
import { readPeople } from '../../store/read/list.ts'
import { readSortedRecords, type SortedCursor } from '../../store/read/sorted.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import type { CollectionInfo, Values } from './collection-info.ts'
import { loadRecords } from './read.ts'

/** The state of a list page. In the URL, names that begin with `$` are page parameters; all others are filters. */
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

/** Formats a changed list query. Resets the page unless the changes set `offset` or `after`. */
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

/** Builds the API query for the same records. */
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

/** One page of records. */
export type ListedRecords = {
  records: readonly Values[]
  /** The total, if known. */
  total: number | undefined
  /** Whether more records follow. A sorted list continues at `nextCursor`. */
  hasMore: boolean
  nextCursor?: SortedCursor | undefined
  /** A warning from the API, such as an unknown field in a filter. */
  warning: string | undefined
}

/** Lists a page of a collection through the API, or from the index if it is sorted by a field. */
export async function listRecords(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  query: ListQuery,
): Promise<ListedRecords> {
  const { name, kind } = collection
  if (query.sort) {
    const sorted = await readSortedRecords(c.var.store, name, {
      ...query.sort,
      limit: query.size,
      after: query.after,
    })
    const records = sorted.records.map(({ document }): Values => JSON.parse(document))
    const hasMore = sorted.next !== undefined
    return { records, total: undefined, hasMore, nextCursor: sorted.next, warning: undefined }
  }
  // Lists of members have no total, so one extra record shows whether more follow.
  const limit = kind === 'members' ? query.size + 1 : query.size
  const [page, count] = await Promise.all([
    loadRecords(c, collection, toApiQuery(query, limit)),
    kind === 'members' && query.filters.length === 0
      ? readPeople(c.var.store, kind, countOnly, true)
      : undefined,
  ])
  const { records, warning } = page
  const total = page.total ?? count?.total
  return {
    records: records.slice(0, query.size),
    total,
    hasMore:
      total === undefined ? records.length > query.size : query.offset + records.length < total,
    warning: warning?.replace(/^\d+ \S+ "(.*)"$/, '$1').replaceAll('\\', ''),
  }
}

// Reads the total alone. The limit must be at least 1.
const countOnly = { limit: 1, offset: 0, filters: [] }
