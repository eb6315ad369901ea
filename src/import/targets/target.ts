import { isTimeName } from '../../formats/json.ts'
import { isObject } from '../../model/json.ts'
import type { Values } from '../../model/properties/schema.ts'
import type { Rules } from '../../records/rules.ts'
import type { UniqueValue } from '../../store/read/unique-values.ts'
import type { NewDocument } from '../../store/write/put.ts'

/** The rules for a file's records, and the parsers for its cells. */
export type ImportTarget = Rules & {
  /** The key of the list in an envelope. */
  plural: string
  /** Whether a dotted column name is a path to a nested property. */
  isNested: boolean
  /** The parser for the cells of a column; undefined if the property does not exist. */
  cellParser(column: string): CellParser | undefined
}

/** A target that accepts and ignores the times that lists add to records. */
export const ignoreTimes = (target: ImportTarget): ImportTarget => ({
  ...target,
  cellParser: (column) => (isTimeName(column) ? ignoredCell : target.cellParser(column)),
  check: (input, before) => target.check(omitTimes(input), before),
  merge: (before, patch) => target.merge(before, omitTimes(patch)),
})

const omitTimes = (input: unknown) =>
  isObject(input)
    ? Object.fromEntries(Object.entries(input).filter(([name]) => !isTimeName(name)))
    : input

/** A parser for the cells of a column. `empty` is the value of an empty cell: null clears the property, undefined leaves it unchanged. */
type CellParser = { parse: (cell: string) => unknown; empty: null | undefined }

/** A parser for cells that an empty cell clears. */
export const clearWhenEmpty = (parse: (cell: string) => unknown): CellParser => ({
  parse,
  empty: null,
})

/** The parser for a derived property: responses include it, imports ignore it. */
export const ignoredCell: CellParser = { parse: () => undefined, empty: undefined }

/** The parser for a field type that only groups the fields of a form: records have no value for it, so an empty cell clears nothing. */
export const dividerCell: CellParser = { parse: (cell) => cell, empty: undefined }

/** The unique fields' values in these records. */
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
