import type { Filter } from '../../model/filter.ts'
import type { FilterExpression } from '../../model/query/filter-expression.ts'
import type { Predicate, Scalar } from '../../model/query/predicate.ts'
import type { RowBudget } from '../query/query-reader.ts'
import type { Store } from '../store.ts'
import type { ListSelection } from './list-selection.ts'

/** The records of a collection to group, and the field that groups them. */
export type GroupQuery = {
  /** The name of the field. */
  by: string
  filters: readonly Filter[]
  filter?: FilterExpression | undefined
  /** A condition of the service itself, which may be on fields of the index that nobody can name. */
  condition?: Predicate | undefined
  /** The maximum number of groups. */
  limit: number
  /** The rows that this and other queries may read together. */
  budget?: RowBudget | undefined
}

/**
 * What a measure needs to know of each group of records. The parts of two groups can be combined, unlike
 * their figures: of an average, they are the number of records and the sum.
 */
export type ValueGroups<Parts> = {
  /**
   * The groups by value; with null, the records without a value, if there are any. A record whose list has
   * several values is in several groups.
   */
  groups: { value: Scalar | null; parts: Parts }[]
  /** The parts of all records, each of which counts once. */
  total: Parts
  /** Whether there are more groups than `limit`. */
  isCut: boolean
}

/** The Zod types of a structured collection and of those it refers to; people have none. */
export type GroupedTypes = Pick<ListSelection, 'record' | 'findRecordType'>

/**
 * Reads the groups of a collection by one of its own fields. Throws 400 for a name that is not among the
 * fields that the policy shows.
 */
export type GroupReader<Parts> = (
  store: Store,
  collection: string,
  query: GroupQuery,
  types?: GroupedTypes,
) => Promise<ValueGroups<Parts>>
