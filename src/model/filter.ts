import { valueAt } from './json.ts'

/** A field, as a dotted path, and the values that match. `parameter` is the query parameter if its name differs. */
export type Filter = {
  field: string
  values: readonly (string | number | boolean)[]
  /** Matches the records that have none of the values. */
  excludes?: true
  or?: { field: string; text: string }
  parameter?: string
}

/** Whether a record passes a filter. A list has the values of its elements. */
export function passesFilter({ field, values, excludes }: Filter, record: unknown): boolean {
  const items = [valueAt(record, field.split('.'))].flat()
  const hasValue = items.some((item) => values.some((value) => value === item))
  return excludes ? !hasValue : hasValue
}

const decimal = /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const boolean = /^(true|false)$/i

/** A filter that matches a text, and the boolean or number with this spelling. */
export function parseFieldFilter(field: string, text: string): Filter {
  if (boolean.test(text)) return { field, values: [text, text.toLowerCase() === 'true'] }
  const number = parseExactNumber(text)
  return { field, values: number === undefined ? [text] : [text, number] }
}

function parseExactNumber(text: string): number | undefined {
  if (!decimal.test(text)) return undefined
  const number = Number(text)
  const size = Math.abs(number)
  // From 2^53, different texts parse to the same number, so only the exact text matches.
  const exact = size < 2 ** 53 || (size === 2 ** 53 && String(number) === text)
  return exact ? number : undefined
}
