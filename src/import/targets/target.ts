import { isTimeName } from '../../formats/json.ts'
import { splitList } from '../../model/cell-text.ts'
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
  cellParser: (column) => (isTimeName(column) ? cellParsers.ignored : target.cellParser(column)),
  check: (input, before) => target.check(omitTimes(input), before),
  merge: (before, patch) => target.merge(before, omitTimes(patch)),
})

const omitTimes = (input: unknown) =>
  isObject(input)
    ? Object.fromEntries(Object.entries(input).filter(([name]) => !isTimeName(name)))
    : input

/** A parser for the cells of a column. `empty` is the value of an empty cell: null clears the property, undefined leaves it unchanged. */
type CellParser = { parse: (cell: string) => unknown; empty: null | undefined }

/** Cell parsers by type. An unreadable cell stays text, so that validation reports it. */
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
  /** A derived property: responses include it, imports ignore it. */
  ignored: { parse: () => undefined, empty: undefined },
  /** A field type that only groups the fields of a form: records have no value for it, so an empty cell clears nothing. */
  divider: { parse: (cell: string) => cell, empty: undefined },
} satisfies Record<string, CellParser>

function clearWhenEmpty(parse: (cell: string) => unknown): CellParser {
  return { parse, empty: null }
}

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
