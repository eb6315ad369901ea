import { isBirthDate } from '../../model/properties/recognise.ts'
import type { FilterExpression } from '../../model/query/filter-expression.ts'
import type { FilterProperty, ListFilter } from '../filters/filter.ts'
import { toFilterExpression } from '../filters/filters.ts'
import type { Grouping } from './grouping.ts'
import type { ReportQuery } from './report-query.ts'

/*
 * A report on bookings counts the ages of their members on the day of each booking, and one on people the ages of today.
 * No list can find records by an age on their day.
 */

type Dated = Pick<ReportQuery, 'date'>

/** The name of the date on which ages by a date of birth are counted; undefined for those of today. */
export const findAgeDate = ({ date }: Dated, property: FilterProperty): string | undefined =>
  property.referenced && isBirthDate(property) ? date?.name : undefined

/** Whether a grouping or a filter is by an age on the day of each record. */
export const isAgeGroup = (query: Dated, { bucket, property }: Grouping): boolean =>
  bucket === 'age' && findAgeDate(query, property) !== undefined

export const isAgeFilter = (query: Dated, { property, minage, maxage }: ListFilter): boolean =>
  Boolean(minage || maxage) && findAgeDate(query, property) !== undefined

/** The expression of a report's filters; undefined without filters. `today` is a day in UK time. */
export function toReportExpression(
  query: Dated,
  filters: readonly ListFilter[],
  today: string,
): FilterExpression | undefined {
  const others = filters.map((filter) =>
    isAgeFilter(query, filter) ? { ...filter, minage: undefined, maxage: undefined } : filter,
  )
  const ages = filters
    .filter((filter) => isAgeFilter(query, filter))
    .flatMap(({ property, minage, maxage }) => {
      const ageOn = findAgeDate(query, property) ?? ''
      const compare = (operator: 'ge' | 'le', years: string): FilterExpression => ({
        name: property.name,
        ageOn,
        operator,
        literal: { type: 'number', value: Number(years) },
      })
      return [
        ...(minage ? [compare('ge', minage)] : []),
        ...(maxage ? [compare('le', maxage)] : []),
      ]
    })
  const expression = toFilterExpression(others, today)
  const parts = expression ? [expression, ...ages] : ages
  return parts.length > 1 ? { and: parts } : parts[0]
}
