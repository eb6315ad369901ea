import type { FilterExpression, Literal } from '../../../model/query/filter-expression.ts'
import type { Operator } from '../../../model/query/predicate.ts'
import { fromLondon } from '../../../model/timestamp.ts'
import { filterDays } from './filter-days.ts'
import { codeSpellings } from './filter-values.ts'
import type { ListFilter } from './list-filters.ts'
import { addDays } from './periods.ts'

type Property = ListFilter['property']

/** Returns the expression of filters, for `options.filter` of a list; undefined without filters. `today` is a day in UK time. */
export function toFilterExpression(
  filters: readonly ListFilter[],
  today: string,
): FilterExpression | undefined {
  const parts = filters.flatMap((filter) => toConditions(filter, today))
  return parts.length > 1 ? { and: parts } : parts[0]
}

function toConditions(filter: ListFilter, today: string): FilterExpression[] {
  const { property, values, contains } = filter
  const { name } = property
  const days = filterDays(filter, today)
  return [
    ...(values.length > 0 ? [anyOf(property, values)] : []),
    ...(days ? inRange(property, days) : []),
    ...(contains ? [compare(name, 'contains', text(contains), true)] : []),
  ]
}

/** Returns the condition that a property has one of some values. */
function anyOf(property: Property, values: readonly string[]): FilterExpression {
  const { name, type, format } = property
  const present = values.filter((value) => value !== '')
  const parts: FilterExpression[] = []
  if (type === 'time') parts.push(...present.map((value) => inMoment(property, value)))
  else if (present.length > 0) {
    const spellings = format === 'code' ? present.flatMap(codeSpellings) : present
    const literals = spellings.map((value) => toLiteral(value, type))
    // Tags and codes have few values, so comparing all of them without case is cheap.
    parts.push({ name, literals, ...((type === 'list' || format === 'code') && ignoringCase) })
  }
  if (present.length < values.length) {
    parts.push(compare(name, 'eq', { type: 'null', value: null }))
    // In structured records, a missing text is empty.
    if (isText(type)) parts.push(compare(name, 'eq', text('')))
  }
  return parts.length === 1 && parts[0] ? parts[0] : { or: parts }
}

/** Returns the condition that a time is within a day or a minute. */
function inMoment(property: Property, value: string): FilterExpression {
  if (value.length === 10) return { and: inRange(property, { from: value, to: value }) }
  const minute = Math.floor(Date.parse(value) / 60_000) * 60_000
  return {
    and: [
      compare(property.name, 'ge', time(new Date(minute).toISOString())),
      compare(property.name, 'lt', time(new Date(minute + 60_000).toISOString())),
    ],
  }
}

/** Returns the conditions of a range. Days are whole days in UK time. */
function inRange(
  { name, type }: Property,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): FilterExpression[] {
  if (type === 'time') {
    return [
      ...(from ? [compare(name, 'ge', time(startOfDay(from)))] : []),
      ...(to ? [compare(name, 'lt', time(startOfDay(addDays(to, 1))))] : []),
    ]
  }
  return [
    ...(from ? [compare(name, 'ge', toLiteral(from, type))] : []),
    ...(to ? [compare(name, 'le', toLiteral(to, type))] : []),
  ]
}

const compare = (
  name: string,
  operator: Operator,
  literal: Literal,
  ignoresCase = false,
): FilterExpression => ({ name, operator, literal, ...(ignoresCase && ignoringCase) })

const ignoringCase = { ignoresCase: true } as const

const startOfDay = (day: string) => fromLondon(`${day}T00:00`) ?? `${day}T00:00:00.000Z`

const text = (value: string): Literal => ({ type: 'text', value })
const time = (value: string): Literal => ({ type: 'time', value })

function toLiteral(value: string, type: Property['type']): Literal {
  if (type === 'boolean') return { type, value: value === 'true' }
  if (type === 'number') return { type, value: Number(value) }
  return type === 'date' ? { type, value } : text(value)
}

const isText = (type: Property['type']) =>
  ['text', 'email', 'phone', 'option', 'any'].includes(type)
