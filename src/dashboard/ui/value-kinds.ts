import type { Cell } from '../../formats/xlsx.ts'
import { parseBoolean } from '../../import/parse/booleans.ts'
import { parseDate } from '../../import/parse/dates.ts'
import { parseNumber } from '../../import/parse/numbers.ts'
import { formatShortDay, formatShortMoment } from '../../model/dates.ts'
import type { FilterExpression, Literal } from '../../model/query/filter-expression.ts'
import type { Operator } from '../../model/query/operators.ts'
import { fromLondon, toLondon, toTimestamp } from '../../model/timestamp.ts'
import type { ValueType } from '../../model/value-types.ts'
import { formatNumber } from '../../platform/format-number.ts'

/**
 * What pages do with the values of a type: lists, filters, reports and downloads ask this table, so
 * that none of them knows the types. How cells and forms parse a value is in `model/value-types.ts`.
 */
export type ValueKind = {
  /** What the filter panel offers, in order. */
  filter: readonly ('values' | 'period' | 'range' | 'contains')[]
  /** The ascending and the descending order in words; absent if lists cannot be in this order. */
  orders?: readonly [ascending: string, descending: string]
  /** Whether a click on a heading shows the highest values first. */
  isNewestFirst?: true
  /** Whether cells are aligned to the right. */
  isRight?: true
  /** Whether a value is a list of values, so that a record can be in several groups. */
  isList?: true
  /** How reports group the values: by value, by units of a calendar, or not at all. */
  groups: 'values' | 'calendar' | 'none'
  /** Whether people type values freely, so that a filter takes others than those it offers, in any case. */
  isOpen?: true
  /** Whether a missing value can be an empty text. */
  isEmptyText?: true
  /** All values of the type, which the panel offers even if no record has them. */
  values?: readonly string[]
  /** What a filter's text must be, for its error message; absent for a text or an option. */
  isA?: string
  /** Parses a value as a filter holds it, from that form or from its words; undefined for another text. Absent if any text is a value. */
  parse?(text: string): string | undefined
  /** The value in documents for a value of a filter, which is a text. */
  stored(value: string): string | number | boolean
  /** The literal in an expression for a value of a filter. */
  literal(value: string): Literal
  /** The condition that a property has a value of a filter; by default it is equal to it. */
  isValue?(name: string, value: string): FilterExpression
  /** How filters parse an end of a range, and the conditions of the range; absent for types without ranges. */
  range?: {
    parse(text: string): string | undefined
    conditions(name: string, ends: Ends): FilterExpression[]
  }
  /** A value of a document in words, such as "14 Mar 2026" or "Yes". */
  words(value: unknown): string
  /** The address that a value links to. */
  href?(value: string): string
  /** A value of a document as a cell of a workbook, such as a number or a day; undefined for its words. */
  cell(value: unknown): Cell | undefined
  /** Whether values are amounts of money if the label has a "£". */
  canBeMoney?: true
  /** The UK day of a date or time, for groups of reports. */
  day?(value: string): string
}

/** The ends of a range, both included; an open end has none. */
export type Ends = { from?: string | undefined; to?: string | undefined }

const text = {
  filter: ['contains', 'values'],
  groups: 'values',
  stored: (value) => value,
  literal: (value) => ({ type: 'text', value }),
  words: plainWords,
  cell: plainCell,
} as const satisfies ValueKind

const words = { ...text, orders: ['A to Z', 'Z to A'], isEmptyText: true } as const

const choice = { ...text, filter: ['values'] } as const

const date = {
  ...text,
  filter: ['period', 'range'],
  orders: ['oldest first', 'newest first'],
  isNewestFirst: true,
  groups: 'calendar',
  isA: `a date, such as ${formatShortDay('2026-03-14')}`,
  parse: parseDay,
  literal: (value) => ({ type: 'date', value }),
  range: { parse: parseEnd, conditions: between((value) => ({ type: 'date', value })) },
  words: (value) => formatShortDay(String(value)),
  cell: (value) => (typeof value === 'string' ? { type: 'day', text: value } : plainCell(value)),
  day: (value) => value,
} as const satisfies ValueKind

const number = {
  ...text,
  filter: ['range'],
  orders: ['smallest first', 'largest first'],
  isRight: true,
  isA: 'a number, such as 1,250',
  parse: parseAnyNumber,
  stored: Number,
  literal: toNumber,
  range: { parse: parseAnyNumber, conditions: between(toNumber) },
} as const satisfies ValueKind

/** What pages do with the values of each type. */
export const valueKinds: Readonly<Record<ValueType, ValueKind>> = {
  text: words,
  email: { ...words, href: (value) => `mailto:${encodeURIComponent(value)}` },
  phone: { ...words, href: (value) => `tel:${value.replaceAll(/[^+\d]/g, '')}` },
  option: { ...words, filter: ['values'] },
  options: { ...choice, isList: true },
  list: { ...choice, isList: true, isOpen: true },
  objects: text,
  any: { ...text, groups: 'none', isEmptyText: true },
  boolean: {
    ...choice,
    orders: ['No first', 'Yes first'],
    values: ['true', 'false'],
    isA: 'Yes or No',
    parse: (value) => parseBoolean(value)?.toString(),
    stored: (value) => value === 'true',
    literal: (value) => ({ type: 'boolean', value: value === 'true' }),
  },
  number: { ...number, canBeMoney: true },
  date,
  time: {
    ...date,
    parse: parseTime,
    literal: text.literal,
    isValue: (name, value) => ({
      and: value.length === 10 ? onDays(name, { from: value, to: value }) : inMinute(name, value),
    }),
    range: { parse: parseEnd, conditions: onDays },
    words: (value) => formatShortMoment(String(value)),
    cell: (value) =>
      typeof value === 'string' ? { type: 'time', text: toLondon(value) } : plainCell(value),
    day: (value) => toLondon(value).slice(0, 10),
  },
}

/** A value of any type in words: "Yes", "1,250", or the text itself. */
function plainWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'number' ? formatNumber(value) : String(value)
}

/** A number as a number, also where a change of the schema has left it in a field of another type. */
function plainCell(value: unknown): Cell | undefined {
  return typeof value === 'number' ? { type: 'number', value } : undefined
}

/** Whether lists can be in the order of a property. */
export const hasOrder = ({ type }: { type: ValueType }) => valueKinds[type].orders !== undefined

/** A comparison of a property. */
export const compare = (name: string, operator: Operator, literal: Literal): FilterExpression => ({
  name,
  operator,
  literal,
})

/** The conditions of a range between two values. */
function between(literal: (value: string) => Literal) {
  return (name: string, { from, to }: Ends): FilterExpression[] => [
    ...(from ? [compare(name, 'ge', literal(from))] : []),
    ...(to ? [compare(name, 'le', literal(to))] : []),
  ]
}

/** The conditions of a range of times, from the start of a day to the end of another in UK time. */
function onDays(name: string, { from, to }: Ends): FilterExpression[] {
  return [
    ...(from ? [compare(name, 'ge', toTime(startOfDay(from)))] : []),
    ...(to ? [compare(name, 'lt', toTime(startOfDay(addDays(to, 1))))] : []),
  ]
}

function inMinute(name: string, value: string): FilterExpression[] {
  const minute = Math.floor(Date.parse(value) / 60_000) * 60_000
  return [
    compare(name, 'ge', toTime(new Date(minute).toISOString())),
    compare(name, 'lt', toTime(new Date(minute + 60_000).toISOString())),
  ]
}

/** The day after a number of days. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)

const startOfDay = (day: string) => fromLondon(`${day}T00:00`) ?? `${day}T00:00:00.000Z`

function toTime(value: string): Literal {
  return { type: 'time', value }
}

function toNumber(value: string): Literal {
  return { type: 'number', value: Number(value) }
}

function parseDay(value: string): string | undefined {
  return parseDate(value.trim())?.['day-first']
}

/** The day at an end of a range. */
function parseEnd(value: string): string | undefined {
  return parseDay(value)?.slice(0, 10)
}

/** A number, also in spellings such as `-0.5e3` that cells of imports do not have. */
function parseAnyNumber(value: string): string | undefined {
  const parsed = parseNumber(value.trim())?.['.']
  if (parsed !== undefined && parsed !== null) return parsed.toString()
  const plain = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(plain) ? String(plain) : undefined
}

/** A day, or a UK time as a timestamp. */
function parseTime(value: string): string | undefined {
  const trimmed = value.trim()
  if (/[Zz]$|[+-]\d\d:?\d\d$/.test(trimmed) && toTimestamp(trimmed)) return toTimestamp(trimmed)
  const parsed = parseDate(trimmed)
  const day = parsed?.['day-first']
  if (!parsed || !day || parsed.time === undefined) return day
  return parsed.offset
    ? toTimestamp(`${day}T${parsed.time}${parsed.offset}`)
    : fromLondon(`${day}T${parsed.time}`)
}
