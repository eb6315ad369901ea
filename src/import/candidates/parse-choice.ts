import type { ParseCell, ParsedCell } from '../../model/parsed-cell.ts'
import type { Option } from '../../model/value-types.ts'
import { splitParts } from '../mapping/column-facts.ts'
import type { MappedColumn } from '../mapping/mapping.ts'
import type { TargetField } from '../mapping/target-fields.ts'
import { isUnknown, parseBoolean } from '../parse/booleans.ts'
import { normaliseKey } from '../parse/text.ts'

/** The values that a field can have, with their labels; undefined if it can have any. */
export function listChoices({ as, options }: TargetField): readonly Option[] | undefined {
  return as === 'boolean' ? yesNo : options
}

const yesNo: readonly Option[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** A parser for the options of a field. Texts that are no option have the values that a person chose in the mapping. */
export function createOptionParser(column: MappedColumn, targetField: TargetField): ParseCell {
  const { options, allowsOther } = targetField
  if (!options) return (cell) => ({ value: cell })
  const find = createFinder(column, options)
  return (cell) => {
    const match = find(cell)
    const value = match.value === undefined && allowsOther ? cell : match.value
    const unlisted = match.isUnlisted && { unlisted: [cell] }
    return { ...(value === undefined ? notAnOption(options) : { value }), ...unlisted }
  }
}

/** A parser for lists of options, or of any texts if the field has no options. */
export function createListParser(column: MappedColumn, targetField: TargetField): ParseCell {
  const { separator = ';' } = column
  const { options, allowsOther } = targetField
  if (!options) return (cell) => ({ value: splitParts(cell, separator) })
  const find = createFinder(column, options)
  return (cell) => {
    // An option may contain the separator.
    const parts = find(cell).value === undefined ? splitParts(cell, separator) : [cell]
    const matches = parts.map((part) => ({ part, ...find(part) }))
    const values = matches.map(({ part, value }) =>
      value === undefined && allowsOther ? part : value,
    )
    const unlisted = matches.flatMap(({ part, isUnlisted }) => (isUnlisted ? part : []))
    return {
      ...(values.includes(undefined)
        ? notAnOption(options)
        : { value: [...new Set(values.filter((value) => value !== null))] }),
      ...(unlisted.length > 0 && { unlisted }),
    }
  }
}

/** A parser for yes or no. Other texts have the values that a person chose in the mapping. */
export function createBooleanParser(
  column: MappedColumn,
  { isFalseWhenEmpty }: TargetField,
): ParseCell {
  const mapped = readMappedValues(column)
  return (cell) => {
    const value = parseBoolean(cell)
    if (value !== undefined) return { value }
    const chosen = mapped.get(normaliseKey(cell))
    if (chosen !== undefined)
      return { value: chosen === null ? null : chosen === 'true', unlisted: [cell] }
    if (!isUnknown(cell))
      return { message: 'must be yes or no.', code: 'invalid_boolean', unlisted: [cell] }
    return isFalseWhenEmpty
      ? {
          message: 'must be yes or no, because this field has no "unknown".',
          code: 'invalid_boolean',
          unlisted: [cell],
        }
      : { value: null, note: 'is not clearly yes or no, so it is stored as empty.' }
  }
}

/** The option of a text (null for none, undefined if unknown), and whether it is no option by itself. */
type Match = { value: string | null | undefined; isUnlisted: boolean }

/** A function that finds the option of a text: by its name, by the mapping's choices, or by a name that differs only in punctuation or plural. */
function createFinder(column: MappedColumn, options: readonly Option[]): (text: string) => Match {
  const names = [
    ...options.map(({ label, value }) => [label, value] as const),
    ...options.map(({ value }) => [value, value] as const),
  ]
  const byKey = new Map(names.map(([name, value]) => [optionKey(name), value]))
  const byLooseKey = Map.groupBy(names, ([name]) => looseKey(name))
  const mapped = readMappedValues(column)
  return (text) => {
    const chosen = mapped.get(normaliseKey(text))
    const exact = byKey.get(optionKey(text))
    // An option that this import adds is in the column's values.
    if (exact !== undefined) return { value: exact, isUnlisted: chosen !== undefined }
    if (chosen === null) return { value: null, isUnlisted: true }
    const option = chosen && options.find(({ value }) => value === chosen)?.value
    if (option) return { value: option, isUnlisted: true }
    const similar = new Set(byLooseKey.get(looseKey(text))?.map(([, value]) => value))
    const [only] = similar
    return similar.size === 1
      ? { value: only, isUnlisted: false }
      : { value: undefined, isUnlisted: true }
  }
}

const readMappedValues = ({ values = {} }: MappedColumn): ReadonlyMap<string, string | null> =>
  new Map(Object.entries(values).map(([text, value]) => [normaliseKey(text), value]))

const optionKey = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ')
    .trim()

/** A key without punctuation between words and without the plural of words. */
const looseKey = (text: string) =>
  optionKey(text)
    .replaceAll(/(?<=[\p{L}\p{N}])[\s:,–—-]+(?=[\p{L}\p{N}])/gu, ' ')
    .replaceAll(/(?<=\p{L}{3})s(?=\s|$)/gu, '')

function notAnOption(options: readonly Option[]): ParsedCell {
  const values = options.slice(0, 12).map(({ value }) => value)
  const more = options.length > values.length ? ', …' : ''
  return {
    message: `is not one of ${values.join(', ')}${more}: correct it, or add it to the options.`,
    code: 'not_allowed',
  }
}
