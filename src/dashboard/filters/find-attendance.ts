import { invalidField } from '../../model/api-error.ts'
import type { FilterExpression } from '../../model/query/filter-expression.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { loadCollection } from '../../resources/resources.ts'
import { countValues } from '../../resources/summary/count-values.ts'
import type { Store } from '../../store/store.ts'
import { valueKinds } from '../ui/value-kinds.ts'
import type { ListFilter } from './filter.ts'
import { rangeOf } from './filters.ts'

/** The most people whom a filter finds by their attendance. */
export const maxAttended = 10_000

/** Reads the people of filters by attendance, so that `toFilterExpression` can name them. */
export const resolveAttendance = (
  store: Store,
  filters: readonly ListFilter[],
  today: string,
): Promise<ListFilter[]> =>
  Promise.all(
    filters.map(async (filter) =>
      filter.property.isAttendance
        ? { ...filter, people: await findPeople(store, filter, today) }
        : filter,
    ),
  )

/** The bookings of people who came. */
const came: FilterExpression = {
  name: 'came',
  operator: 'eq',
  literal: { type: 'boolean', value: true },
}

/** The ids of the members who came at least so often, on the days of a filter. */
async function findPeople(store: Store, filter: ListFilter, today: string): Promise<string[]> {
  const days = rangeOf(filter, today) ?? {}
  const { list } = await loadCollection('bookings')
  const onDays = valueKinds.date.range?.conditions('date', days) ?? []
  const tagged: FilterExpression[] = filter.tag
    ? [{ name: 'event.tags', literals: [{ type: 'text', value: filter.tag }] }]
    : []
  const { groups, isCut } = await countValues(store, list, {
    by: 'memberId',
    filter: { and: [came, ...onDays, ...tagged] },
    limit: maxAttended,
  })
  const least = Number(filter.least ?? 1)
  const people = groups.filter(({ value, count }) => value !== '' && count >= least)
  if (isCut && people.length === groups.length)
    throw invalidField(
      'came',
      'too_large',
      `More than ${formatNumber(maxAttended)} people came. Choose a tag or a shorter period.`,
    )
  return people.map(({ value }) => String(value))
}
