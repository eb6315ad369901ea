import { toLabel } from '../../model/properties/compile.ts'
import { describeRepetition } from '../../model/repetition.ts'
import type { Option, ValueType } from '../../model/value-types.ts'
import { formatMoney } from '../../platform/format-number.ts'
import { valueKinds } from './value-kinds.ts'

/** How pages show a value besides its type: an amount of money, a word of a system such as `not-attending`, a colour, or a repetition rule. */
export type ValueFormat = 'money' | 'code' | 'colour' | 'repetition'

/** What the display of a value depends on. */
export type DisplayedProperty = {
  type: ValueType
  options?: readonly Option[] | undefined
  format?: ValueFormat | undefined
}

/** A value in words: "£1,250", "14 Mar 2026", "Fully paid", "Yes"; '' for an empty value. */
export function formatValue(value: unknown, property: DisplayedProperty, currency = ''): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map((item) => formatValue(item, property)).join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  const { type, format, options } = property
  if (typeof value === 'number' && format === 'money') return formatMoney(value, currency)
  const { words } = valueKinds[type]
  if (typeof value !== 'string') return words(value)
  const option = options?.find((candidate) => candidate.value === value)
  if (option) return option.label
  if (format === 'repetition') return describeRepetition(value)
  return format === 'code' ? formatCode(value) : words(value)
}

/** A word of a system as people write it: `FULLY_PAID` becomes "Fully paid". A text with spaces stays the same. */
const formatCode = (text: string) => (/\s/.test(text) ? text : toLabel(text))
