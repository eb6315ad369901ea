import { isObject } from '../model/is-object.ts'
import type { Rules } from '../records/rules.ts'
import { times } from '../representations/json.ts'
import { cells, type ReadCell } from './cells.ts'

/** What a file's records become: the rules for them, and how its cells are read. */
export type Target = Rules & {
  /** The key of the list in an envelope. */
  plural: string
  /** Whether a dotted column is a property within a property. */
  nested: boolean
  /** How the cells of a column are read; undefined when there is no such property. */
  cell(column: string): ReadCell | undefined
}

/** A target that takes what lists show of a record's times (additions 2), and passes it over. */
export const withoutTimes = (target: Target): Target => ({
  ...target,
  cell: (column) => (Object.hasOwn(times, column) ? cells.shown : target.cell(column)),
  check(given, before) {
    if (!isObject(given)) return target.check(given, before)
    const own = Object.entries(given).filter(([name]) => !Object.hasOwn(times, name))
    return target.check(Object.fromEntries(own), before)
  },
})
