import type { SortedPlace } from '../../store/sorted.ts'
import type { Described } from './described.ts'

/** What of a collection is on the screen. Its own parameters begin with `$`; the others are the API's filters. */
export type ListQuery = {
  filters: readonly [field: string, value: string][]
  columns: readonly string[]
  size: number
  offset: number
  sort: { field: string; descending: boolean } | undefined
  after: SortedPlace | undefined
}

export const sizes = [25, 50, 100] as const

/** The list that an address asks for; what makes no sense in it is left out. */
export function listQueryOf(params: URLSearchParams, described: Described): ListQuery {
  const known = new Set(described.properties.map(({ name }) => name))
  const chosen = params.getAll('$columns').filter((name) => known.has(name))
  const sort = params.get('$sort') ?? ''
  const field = sort.replace(/^-/, '')
  const filters = [...params].filter(([name, value]) => !name.startsWith('$') && value !== '')
  const [added, value] = [params.get('$field'), params.get('$value')?.trim()]
  const all =
    added && value ? [...filters.filter(([name]) => name !== added), [added, value]] : filters
  return {
    filters: all as [string, string][],
    columns: chosen.length > 0 ? chosen : described.usual,
    size: sizes.find((size) => String(size) === params.get('$size')) ?? sizes[0],
    offset: Math.max(0, Math.trunc(Number(params.get('$offset')))) || 0,
    sort:
      known.has(field) && all.length === 0
        ? { field, descending: sort.startsWith('-') }
        : undefined,
    after: placeIn(params.get('$after')),
  }
}

/** The query of the address that shows a list, with some of it changed; back at the start where the place is not given. */
export function addressOf(query: ListQuery, described: Described, changed: Partial<ListQuery>) {
  const { filters, columns, size, sort, offset, after } = {
    ...query,
    offset: 0,
    after: undefined,
    ...changed,
  }
  const params = new URLSearchParams(filters.map(([name, value]) => [name, value]))
  if (columns.join() !== described.usual.join())
    for (const column of columns) params.append('$columns', column)
  if (size !== sizes[0]) params.set('$size', String(size))
  if (sort) params.set('$sort', `${sort.descending ? '-' : ''}${sort.field}`)
  if (offset > 0) params.set('$offset', String(offset))
  if (after) params.set('$after', JSON.stringify([after.value, after.ordinal]))
  return `?${params}`
}

/** The query of the API that gives the same records. */
export function apiQueryOf({ filters, size, offset }: ListQuery, limit = size): URLSearchParams {
  const params = new URLSearchParams(filters.map(([name, value]) => [name, value]))
  params.set('limit', String(limit))
  if (offset > 0) params.set('offset', String(offset))
  return params
}

function placeIn(text: string | null): SortedPlace | undefined {
  try {
    const [value, ordinal] = JSON.parse(text ?? '[]')
    const isPlace = ['string', 'number'].includes(typeof value) && Number.isSafeInteger(ordinal)
    return isPlace && ordinal >= 0 ? { value, ordinal } : undefined
  } catch {
    return undefined
  }
}
