import { parseBoolean } from '../../../import/parse/booleans.ts'
import { parseDate } from '../../../import/parse/dates.ts'
import { parseNumber } from '../../../import/parse/numbers.ts'
import { fromLondon, toTimestamp } from '../../../model/timestamp.ts'
import type { DisplayedProperty } from '../../ui/format-value.ts'
import { formatValue } from '../../ui/format-value.ts'

/** Returns the stored form of a value as text, from its stored or its displayed form; undefined if it is no value of the type. */
export function parseValue(text: string, property: DisplayedProperty): string | undefined {
  const { type, options, format } = property
  switch (type) {
    case 'boolean':
      return parseBoolean(text)?.toString()
    case 'number':
      return parseNumber(text.trim())?.['.']?.toString() ?? parsePlainNumber(text)
    case 'date':
      return parseDate(text.trim())?.['day-first']
    case 'time':
      return parseTime(text.trim())
    default: {
      const isDisplayed = (value: string) =>
        formatValue(value, property).toLowerCase() === text.trim().toLowerCase()
      const option = options?.find(({ value }) => value === text || isDisplayed(value))
      if (option) return option.value
      return format === 'code' ? text.trim() : text
    }
  }
}

/** Returns a day or a number as the end of a range; undefined if it is neither. */
export const parseRangeEnd = (text: string, { type }: DisplayedProperty): string | undefined =>
  type === 'number' ? parseValue(text, { type }) : parseValue(text, { type: 'date' })?.slice(0, 10)

/** Returns whether ranges of a type exist. */
export const hasRange = ({ type }: DisplayedProperty) => ['number', 'date', 'time'].includes(type)

/** Returns the ways in which systems spell the words of a displayed code, in any case: "Not attending" is also `not-attending`. */
export function codeSpellings(text: string): string[] {
  const words = text.trim().split(/[\s_-]+/)
  return [...new Set([text, ...['-', '_', ' ', ''].map((separator) => words.join(separator))])]
}

/** Spellings such as `-0.5e3` that cells of imports do not have. */
function parsePlainNumber(text: string): string | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? String(value) : undefined
}

/** Returns a day, or a UK time as a timestamp. */
function parseTime(text: string): string | undefined {
  if (/[Zz]$|[+-]\d\d:?\d\d$/.test(text) && toTimestamp(text)) return toTimestamp(text)
  const parsed = parseDate(text)
  const day = parsed?.['day-first']
  if (!parsed || !day || parsed.time === undefined) return day
  return parsed.offset
    ? toTimestamp(`${day}T${parsed.time}${parsed.offset}`)
    : fromLondon(`${day}T${parsed.time}`)
}
