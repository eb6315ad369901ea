import { isErrorOf } from '../../model/api-error.ts'
import { isPastDate } from '../../model/properties/recognise.ts'
import type { ShownProperty } from '../collection/collection-info.ts'
import { pagesOf } from '../collections/collections.ts'
import type { ListFilter } from '../filters/filter.ts'
import { toFilterExpression } from '../filters/filters.ts'
import { addDays } from '../ui/value-kinds.ts'
import { type Check, type Inspected, locate } from './check.ts'

/** Finds the records with a date after today in a property that only past dates can have. */
export const findFutureDates: Check['find'] = (inspected) => {
  const { collection, today } = inspected
  const pages = pagesOf(collection.name)
  const isPast = (property: ShownProperty) =>
    pages.isPeople ? isPastDate(property) : pages.pastDates?.includes(property.name)
  return Promise.all(
    collection.properties.filter(isPast).map(async (property) => {
      const filter = { property, values: [], from: addDays(today, 1) }
      return { ...locate(inspected, filter), count: await countFiltered(inspected, filter) }
    }),
  )
}

/** Counts as the list does: a range of dates reads the values in it only. Too many of them have no count. */
async function countFiltered(
  { c, collection, today }: Inspected,
  filter: ListFilter,
): Promise<number | undefined> {
  const options = { filter: toFilterExpression([filter], today), orderBy: [], isCounted: true }
  try {
    const query = { limit: 0, offset: 0, filters: [], options }
    const { total } = await collection.list.page(c.var.store, query)
    return total
  } catch (error) {
    if (isErrorOf(error, 'BAD_REQUEST')) return undefined
    throw error
  }
}
