import { timeProperties } from '../formats/json.ts'
import { isObject } from '../model/json.ts'
import type { Rules } from '../records/rules.ts'
import { type CellParser, cellParsers } from './cells.ts'

/** What a file's records become: the rules for them, and how its cells are read. */
export type ImportTarget = Rules & {
  /** The key of the list in an envelope. */
  plural: string
  /** Whether a dotted column is a property within a property. */
  isNested: boolean
  /** The parser for the cells of a column; undefined if the property does not exist. */
  cellParser(column: string): CellParser | undefined
}

/** A target that takes what lists show of a record's times (additions 2), and passes it over. */
export const ignoreTimes = (target: ImportTarget): ImportTarget => ({
  ...target,
  cellParser: (column) =>
    Object.hasOwn(timeProperties, column) ? cellParsers.ignored : target.cellParser(column),
  check: (input, before) => target.check(omitTimes(input), before),
  merge: (before, patch) => target.merge(before, omitTimes(patch)),
})

const omitTimes = (input: unknown) =>
  isObject(input)
    ? Object.fromEntries(
        Object.entries(input).filter(([name]) => !Object.hasOwn(timeProperties, name)),
      )
    : input
