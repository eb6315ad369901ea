import type { Scalar } from '../../model/query/predicate.ts'
import { type GroupParts, groupRecords } from '../../resources/group-records.ts'
import type { GroupQuery } from '../../store/read/groups.ts'
import type { Store } from '../../store/store.ts'
import type { Countable } from './countables.ts'

/** The result of a measure; null if the records have none, as the average of no numbers. */
export type Measured = number | null

/** How much a result is above an earlier one. */
export const difference = (result: Measured, before: Measured): Measured =>
  result === null || before === null ? null : result - before

type MeasureWords = {
  /** The name in a report's address; that of a measure of a property ends with the property, as in `average~price`. */
  name: string
  /** Its choice in the form, the heading of its numbers, and the beginning of a report's name: "Members". */
  label(countable: Countable): string
  /** The words before "the year before" for a result that is the same, above or below. */
  comparison: { same: string; above: string; below: string }
  /** Whether the results of groups add up to the total, so that each group has a share of it. */
  addsUp: boolean
}

/**
 * Declares a measure. What it reads of a group, its parts, can be combined with the parts of other groups,
 * and becomes a number only to be shown: the average of two groups is not the average of their averages.
 */
type MeasureDefinition<Parts> = MeasureWords &
  GroupParts<Parts> & {
    measure(parts: Parts): Measured
    format(result: number): string
    /** A result in words, such as "1,480 attendances". */
    describe(result: number, countable: Countable): string
  }

/** A measure as reports use it, without its parts. */
export type Measure = MeasureWords & {
  format(result: Measured): string
  describe(result: Measured, countable: Countable): string
  /** Reads the groups of a collection. `keyOf` gives the group of the report that a value belongs to. */
  readGroups(
    store: Store,
    collection: string,
    query: GroupQuery,
    keyOf: (value: Scalar | null) => string,
  ): Promise<MeasuredGroups>
}

export type MeasuredGroups = {
  /** The keys of the groups that have records. */
  keys: readonly string[]
  /** Measures some groups together. */
  measure(keys: readonly string[]): Measured
  /** The result for all records. A record with several values has several groups, and counts once here. */
  total: Measured
}

export function defineMeasure<Parts>(definition: MeasureDefinition<Parts>): Measure {
  const { read, combine, measure, format, describe, ...words } = definition
  return {
    ...words,
    format: (result) => (result === null ? '–' : format(result)),
    describe: (result, countable) =>
      result === null ? `No ${countable.plural}` : describe(result, countable),
    async readGroups(store, collection, query, keyOf) {
      const { groups, total } = await groupRecords(store, collection, query, { read, combine })
      const byKey = Map.groupBy(groups, ({ value }) => keyOf(value))
      return {
        keys: [...byKey.keys()],
        measure: (keys) =>
          measure(combine(keys.flatMap((key) => byKey.get(key) ?? []).map(({ parts }) => parts))),
        total: measure(total),
      }
    },
  }
}
