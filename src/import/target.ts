import { isObject } from '../model/is-object.ts'
import type { Rules } from '../records/rules.ts'
import { times } from '../representations/json.ts'
import { type CellReader, cells } from './cells.ts'

/** What a file's records become: the rules for them, and how its cells are read. */
export type Target = Rules & {
  /** The key of the list in an envelope. */
  plural: string
  /** Whether a dotted column is a property within a property. */
  nested: boolean
  /** How the cells of a column are read; undefined when there is no such property. */
  cell(column: string): CellReader | undefined
}

/** A target that takes what lists show of a record's times (additions 2), and passes it over. */
export const withoutTimes = (target: Target): Target => ({
  ...target,
  cell: (column) => (Object.hasOwn(times, column) ? cells.shown : target.cell(column)),
  check: (given, before) => target.check(ownProperties(given), before),
  merge: (before, patch) => target.merge(before, ownProperties(patch)),
})

const ownProperties = (given: unknown) =>
  isObject(given)
    ? Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(times, name)))
    : given
