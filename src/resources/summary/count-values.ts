import type { Filter } from '../../model/filter.ts'
import type { FilterExpression } from '../../model/query/filter-expression.ts'
import type { Predicate, Scalar } from '../../model/query/predicate.ts'
import { plainGroup, plainMeasure } from '../../model/summary/parse-summary.ts'
import { openBudget } from '../../store/query/query-reader.ts'
import type { Store } from '../../store/store.ts'
import { countOf } from '../../store/summary/measure-groups.ts'
import { readSummary } from '../../store/summary/read-summary.ts'
import type { Summarised } from './summarise.ts'

type CountQuery = {
  /** The name of the field, also of a referenced record, such as `event.tags`; without it, records are only counted. */
  by?: string | undefined
  filters?: readonly Filter[]
  filter?: FilterExpression | undefined
  /** A condition of the service itself, which may be on fields of the index that nobody can name. */
  condition?: Predicate | undefined
  /** The maximum number of values. */
  limit: number
}

/** The number of records with each value, most frequent first. A record with several values in a list counts for each. */
type ValueCounts = {
  groups: { value: Scalar; count: number }[]
  /** The number of records without a value. */
  missing: number
  /** The number of records. */
  total: number
  /** Whether there are more values than `limit`. */
  isCut: boolean
}

/** Counts records by the values of a field. Throws 400 for a name that is not among the fields that the policy shows. */
export async function countValues(
  store: Store,
  { name, types }: Summarised,
  { by, limit, filters = [], filter, condition }: CountQuery,
): Promise<ValueCounts> {
  const { groups, total, withoutGroup } = await readSummary(
    store,
    name,
    {
      filters,
      filter,
      condition,
      by: by === undefined ? [] : [plainGroup(by)],
      measures: [plainMeasure('count')],
      ages: { today: '', bands: [] },
      protectsPeople: false,
      budget: openBudget(store, countAdvice),
    },
    types,
  )
  const counts = groups
    .flatMap(({ by: [value], figures }) =>
      value === undefined || value === null ? [] : [{ value, count: countOf(figures) }],
    )
    .toSorted((one, other) => other.count - one.count)
  return {
    groups: counts.slice(0, limit),
    missing: countOf(withoutGroup),
    total: countOf(total),
    isCut: counts.length > limit,
  }
}

const countAdvice = 'Add a filter, such as a shorter range of dates.'
