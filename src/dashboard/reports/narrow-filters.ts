import type { ListFilter } from '../filters/filter.ts'
import { rangeOf } from '../filters/filters.ts'
import { valueKinds } from '../ui/value-kinds.ts'

/**
 * Filters with one condition per property, as an address can name them: ranges become
 * their intersection, and a later value replaces earlier ones. Returns undefined if a list must
 * have two values at once.
 */
export function narrowFilters(
  filters: readonly ListFilter[],
  today: string,
): readonly ListFilter[] | undefined {
  const byName = new Map<string, ListFilter>()
  for (const filter of filters) {
    const { name } = filter.property
    const earlier = byName.get(name)
    const narrowed = earlier ? narrow(fixDays(earlier, today), fixDays(filter, today)) : filter
    if (!narrowed) return undefined
    byName.set(name, narrowed)
  }
  return [...byName.values()]
}

function narrow(filter: ListFilter, added: ListFilter): ListFilter | undefined {
  if (added.values.length > 0) {
    const { isList } = valueKinds[added.property.type]
    return isList && filter.values.join() !== added.values.join() ? undefined : added
  }
  if (filter.values.length > 0) return filter
  const { from, to } = filter
  return {
    ...{ ...filter, ...added },
    from: from && added.from ? (from > added.from ? from : added.from) : (from ?? added.from),
    to: to && added.to ? (to < added.to ? to : added.to) : (to ?? added.to),
  }
}

/** Replaces a period or ages by their days. */
export const fixDays = (
  { period, minage, maxage, ...filter }: ListFilter,
  today: string,
): ListFilter => ({
  ...filter,
  ...rangeOf({ ...filter, period, minage, maxage }, today),
})
