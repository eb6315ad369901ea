import { formatDay } from '../../../model/format-day.ts'
import { isBirthDate } from '../../collection/property-formats.ts'
import type { DisplayedProperty } from '../../ui/format-value.ts'
import { formatValue } from '../../ui/format-value.ts'
import { hasRange, parseRangeEnd, parseValue } from './filter-values.ts'
import { describePeriod, isPeriod, type Period } from './periods.ts'

/** A property that filters can name: one of the record, or after the name of a reference, such as `event.tags`, one of the referenced record. */
export type FilterProperty = DisplayedProperty & {
  name: string
  label: string
  /** The labels around it, such as a heading of the schema. */
  section?: string | undefined
  isDerived?: boolean
  isTechnical?: boolean
}

/**
 * The conditions on a property, all of which must hold. Values are in their stored form: `true`, a
 * number, a day or a timestamp, otherwise the text itself.
 */
export type ListFilter = {
  property: FilterProperty
  /** Any of these values, of which '' means no value; empty for no condition. */
  values: readonly string[]
  /** The first and last day or number. */
  from?: string | undefined
  to?: string | undefined
  period?: Period | undefined
  /** The lowest and the highest age, in years, of people by their date of birth. */
  minAge?: string | undefined
  maxAge?: string | undefined
  /** A part of the text, in any case. */
  contains?: string | undefined
}

/** A filter that a list cannot apply: its parameter, and the reason in words. */
export type FilterError = { name: string; message: string }

const [maxFilters, maxValues, maxCharacters] = [20, 50, 256]

/**
 * Parses the filters in a list's query: for a property `p` the parameters `p` (repeated for several
 * values, empty for no value), `p~is` (a typed value), `p~from`, `p~to`, `p~period`,
 * `p~minage`, `p~maxage` and `p~contains`, of which empty ones have no effect. Values may have their displayed form. Returns
 * errors for unknown names and invalid values, and applies the other filters.
 */
export function parseListFilters(
  params: URLSearchParams,
  properties: readonly FilterProperty[],
): { filters: ListFilter[]; errors: FilterError[] } {
  const byName = new Map(properties.map((property) => [property.name, property]))
  const filters = new Map<string, ListFilter>()
  const errors: FilterError[] = []
  for (const [parameter, text] of params) {
    if (parameter.startsWith('$')) continue
    const { name, condition } = splitParameter(parameter, byName)
    if (condition !== '' && text.trim() === '') continue
    const property = byName.get(name)
    const filter = filters.get(name) ?? (property && { property, values: [] })
    const message =
      !filter || (!filters.has(name) && filters.size >= maxFilters)
        ? filter
          ? `A list takes at most ${maxFilters} filters.`
          : 'This list has no such field.'
        : undefined
    const changed = filter && !message ? addCondition(filter, condition, text) : message
    if (typeof changed === 'object') filters.set(name, changed)
    else errors.push({ name: property?.label ?? name.slice(0, 64), message: changed ?? '' })
  }
  return { filters: [...filters.values()], errors: errors.slice(0, maxFilters) }
}

/** Returns the name of a parameter's property and its condition: `from` of `date~from`. Names of fields can contain `~`. */
function splitParameter(parameter: string, known: ReadonlyMap<string, unknown>) {
  const split = known.has(parameter) ? -1 : parameter.lastIndexOf('~')
  return split < 0
    ? { name: parameter, condition: '' }
    : { name: parameter.slice(0, split), condition: parameter.slice(split + 1) }
}

/** Adds a condition to a filter, or returns an error message. */
function addCondition(filter: ListFilter, condition: string, text: string): ListFilter | string {
  const { property, values } = filter
  if (text.length > maxCharacters) return `Use at most ${maxCharacters} characters.`
  switch (condition) {
    case '':
    case 'is': {
      const value = text === '' ? '' : parseValue(text, property)
      if (value === undefined) return `“${text}” is not ${describeType(property)}.`
      if (values.length >= maxValues) return `Choose at most ${maxValues} values.`
      return { ...filter, values: [...new Set([...values, value])] }
    }
    case 'from':
    case 'to': {
      const end = hasRange(property) ? parseRangeEnd(text, property) : undefined
      return end === undefined
        ? `“${text}” is not ${describeType(property)}.`
        : { ...filter, [condition]: end }
    }
    case 'period':
      return isPeriod(text) && hasRange(property) && property.type !== 'number'
        ? { ...filter, period: text }
        : `“${text}” is not a period.`
    case 'minage':
    case 'maxage':
      return isBirthDate(property) && /^\d{1,3}$/.test(text.trim())
        ? { ...filter, [condition === 'minage' ? 'minAge' : 'maxAge']: text.trim() }
        : `“${text}” is not an age, such as 25.`
    case 'contains':
      return { ...filter, contains: text.trim() }
    default:
      return `“${condition}” is not a condition: use is, from, to, period, minage, maxage or contains.`
  }
}

function describeType({ type, options }: FilterProperty): string {
  if (type === 'boolean') return 'Yes or No'
  if (type === 'number') return 'a number, such as 1,250'
  if (type === 'date' || type === 'time') return 'a date, such as 14 Mar 2026'
  return options ? 'one of the options' : 'a text'
}

/** Returns the parameters of filters, as `parseListFilters` reads them. */
export function formatFilters(filters: readonly ListFilter[]): URLSearchParams {
  const params = new URLSearchParams()
  for (const { property, values, from, to, period, minAge, maxAge, contains } of filters) {
    for (const value of values) params.append(property.name, value)
    const range =
      from || to ? { from, to } : period ? { period } : { minage: minAge, maxage: maxAge }
    const conditions = { ...range, contains }
    for (const [condition, text] of Object.entries(conditions))
      if (text) params.append(`${property.name}~${condition}`, text)
  }
  return params
}

/** Describes a filter in a few words, such as "Joined last quarter", "Ward: Armley" or "Age 18 to 25". */
export function describeFilter(filter: ListFilter): string {
  const { property, values, from, to, period, minAge, maxAge, contains } = filter
  const hasAges = !from && !to && !period && (minAge || maxAge)
  const label = hasAges ? 'Age' : property.label
  const [value, ...others] = values
  const conditions = [
    value !== undefined &&
      `: ${others.length > 0 ? values.length : describeValue(value, property)}`,
    from || to ? describeRange(property, from, to) : period && ` ${describePeriod(period)}`,
    hasAges && describeAges(minAge, maxAge),
    contains && ` contains “${contains}”`,
  ]
  return label + conditions.filter(Boolean).join(' and')
}

/** Returns a value of a filter as lists show it. */
export const describeValue = (value: string, property: FilterProperty): string =>
  value === '' ? 'no value' : formatValue(toStored(value, property), property)

function describeRange(property: FilterProperty, from = '', to = ''): string {
  const end = (value: string) =>
    property.type === 'number' ? formatValue(Number(value), property) : formatDay(value)
  if (from && to) return from === to ? ` ${end(from)}` : ` ${end(from)} to ${end(to)}`
  return from ? ` from ${end(from)}` : ` to ${end(to)}`
}

function describeAges(min: string | undefined, max: string | undefined): string {
  if (min && max) return ` ${min} to ${max}`
  return min ? ` ${min} and over` : ` up to ${max}`
}

/** Returns a filter's value with the type that it has in documents. */
function toStored(value: string, { type }: FilterProperty): string | number | boolean {
  if (type === 'boolean') return value === 'true'
  return type === 'number' ? Number(value) : value
}
