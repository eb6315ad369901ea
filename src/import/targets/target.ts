import { timeProperties } from '../../formats/json.ts'
import { splitList } from '../../model/cell-text.ts'
import { isObject } from '../../model/json.ts'
import type { Values } from '../../model/properties/schema.ts'
import type { Rules } from '../../records/rules.ts'
import type { UniqueValue } from '../../store/read/unique-values.ts'
import type { NewDocument } from '../../store/write/put.ts'

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

/** How the cells of a column are read: a value of a cell's text, and what an empty cell gives, where null clears the property and undefined does not mention it. */
type CellParser = { parse: (cell: string) => unknown; empty: null | undefined }

/** How a cell is read as a value of a type; what cannot be read stays a text, for the check to name. */
export const cellParsers = {
  text: clearWhenEmpty((cell) => cell),
  number: clearWhenEmpty((cell) =>
    Number.isFinite(Number(cell)) && cell.trim() !== '' ? Number(cell) : cell,
  ),
  boolean: clearWhenEmpty(
    (cell) => ({ true: true, false: false })[cell.trim().toLowerCase()] ?? cell,
  ),
  list: clearWhenEmpty(splitList),
  json: clearWhenEmpty((cell) => {
    try {
      return JSON.parse(cell)
    } catch {
      return cell
    }
  }),
  /** A derived property, which answers show and an import ignores. */
  ignored: { parse: () => undefined, empty: undefined },
  /** A heading between fields, which has no value to clear. */
  divider: { parse: (cell: string) => cell, empty: undefined },
} satisfies Record<string, CellParser>

function clearWhenEmpty(parse: (cell: string) => unknown): CellParser {
  return { parse, empty: null }
}

/** Returns the values of unique fields. */
export function listUniqueValues(
  { unique }: Rules,
  records: readonly NewDocument[],
): UniqueValue[] {
  if (unique.length === 0) return []
  return records.flatMap(({ document }) => {
    const values: Values = JSON.parse(document)
    return unique
      .filter((field) => Object.hasOwn(values, field))
      .map((field) => ({ field, value: String(values[field]) }))
  })
}
