import { invalidField } from '../../model/api-error.ts'
import type { Filter } from '../../model/filter.ts'
import type { FilterExpression, Literal } from '../../model/query/filter-expression.ts'
import { lastDayBefore, yearBefore } from '../../model/summary/buckets.ts'
import { isDate } from '../../model/timestamp.ts'
import type { TimeRange } from '../../store/bitmap/time-ranges.ts'

/** What selects the records of a summary. */
export type RecordSelection = {
  filters: readonly Filter[]
  filter?: FilterExpression | undefined
  created?: TimeRange | undefined
  changed?: TimeRange | undefined
}

/** The same selection with every date a year earlier. Throws 400 if it has none. */
export function selectYearBefore({
  filters,
  filter,
  created,
  changed,
}: RecordSelection): RecordSelection {
  const selected = { filters, filter, created, changed }
  const earlier = {
    filters: selected.filters.map((filter) => ({
      ...filter,
      values: filter.values.map((value) =>
        typeof value === 'string' && isDate(value) ? yearBefore(value) : value,
      ),
    })),
    filter: selected.filter && shiftExpression(selected.filter),
    created: shiftRange(selected.created),
    changed: shiftRange(selected.changed),
  }
  if (JSON.stringify(earlier) !== JSON.stringify(selected)) return earlier
  throw invalidField(
    '$compare',
    'not_allowed',
    'needs a period to compare: add dates to the filter, such as date ge 2026-04-01 and date lt 2026-07-01.',
  )
}

function shiftExpression(expression: FilterExpression): FilterExpression {
  if ('and' in expression) return { and: expression.and.map(shiftExpression) }
  if ('or' in expression) return { or: expression.or.map(shiftExpression) }
  if ('not' in expression) return { not: shiftExpression(expression.not) }
  if ('literals' in expression)
    return { ...expression, literals: expression.literals.map((literal) => shiftLiteral(literal)) }
  const isLast = expression.operator === 'le'
  return { ...expression, literal: shiftLiteral(expression.literal, isLast) }
}

function shiftLiteral(literal: Literal, isLast = false): Literal {
  if (literal.type === 'date')
    return { ...literal, value: isLast ? lastDayBefore(literal.value) : yearBefore(literal.value) }
  return literal.type === 'time' ? { ...literal, value: yearBefore(literal.value) } : literal
}

const shiftRange = (range: TimeRange | undefined): TimeRange | undefined =>
  range && {
    from: range.from && yearBefore(range.from),
    to: range.to && yearBefore(range.to),
  }
