import type { FilterExpression } from '../../model/query/filter-expression.ts'
import { type Ends, valueKinds } from '../ui/value-kinds.ts'
import { ages } from './ages.tsx'
import { attendance } from './attendance.tsx'
import { contains } from './contains.tsx'
import type { FilterError, FilterProperty, ListFilter } from './filter.ts'
import type { ConditionParameter, FilterKind, RangeKind } from './filter-kind.ts'
import { known } from './known.tsx'
import { period } from './period.tsx'
import { range } from './range.tsx'
import { values } from './values.tsx'

/*
 * A filter is about one property, and can have conditions of several kinds, such as a period and a part of a
 * text. Each kind is a file such as `period.tsx`. Here filters are parsed from an address, formatted for one,
 * put into words, and turned into the expression that finds their records.
 *
 * Days from and to, a period, and ages are ranges. Reports need the first and the last day of a filter, so it
 * has one range: if an address names several, the first of them in `filterKinds` has an effect.
 */

/** The kinds of conditions, in the order of their words. */
export const filterKinds = { attendance, values, range, period, ages, contains, known }

const kinds: readonly FilterKind[] = Object.values(filterKinds)
const parameters = new Map(kinds.flatMap((kind) => kind.parameters.map((name) => [name, kind])))

const maxFilters = 20
const maxCharacters = 256

/**
 * Parses the filters in a list's query: for a property `p` the parameters `p` (repeated for several
 * values, empty for no value) and `p~from` etc. of the kinds, of which empty ones have no effect.
 * Values may have their displayed form. Returns errors for unknown names and invalid values, and
 * applies the other filters.
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
    if (!property) {
      errors.push({ name: name.slice(0, 64), message: 'This list has no such field.' })
      continue
    }
    const filter = filters.get(name)
    const changed =
      !filter && filters.size >= maxFilters
        ? `A list takes at most ${maxFilters} filters.`
        : addCondition(filter ?? newFilter(property), condition || 'is', text)
    if (typeof changed === 'string') errors.push({ name: property.label, message: changed })
    else filters.set(name, changed)
  }
  return { filters: [...filters.values()], errors: errors.slice(0, maxFilters) }
}

/** A filter without conditions; of attendance, one for people who came once. */
const newFilter = (property: FilterProperty): ListFilter => ({
  property,
  values: [],
  ...(property.isAttendance && { least: '1' }),
})

/** The name of a parameter's property and its condition: `from` of `date~from`. Names of fields can contain `~`. */
function splitParameter(parameter: string, known: ReadonlyMap<string, unknown>) {
  const split = known.has(parameter) ? -1 : parameter.lastIndexOf('~')
  return split < 0
    ? { name: parameter, condition: '' }
    : { name: parameter.slice(0, split), condition: parameter.slice(split + 1) }
}

/** Adds a condition to a filter, or returns an error message. */
function addCondition(filter: ListFilter, condition: string, text: string): ListFilter | string {
  if (text.length > maxCharacters) return `Use at most ${maxCharacters} characters.`
  const kind = parameters.get(condition as ConditionParameter)
  if (!kind) {
    const names = [...parameters.keys()]
    return `“${condition}” is not a condition: use ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`
  }
  const changes = kind.read(text, filter, condition as ConditionParameter)
  return typeof changes === 'string' ? changes : { ...filter, ...changes }
}

/** The text of a parameter in a filter; none for `is`, because values are in `filter.values`. */
const textOf = (filter: ListFilter, name: ConditionParameter) =>
  name === 'is' ? undefined : filter[name]

/** The kinds of conditions that a filter has: of several ranges, the first one. */
function kindsOf(filter: ListFilter): FilterKind[] {
  const named = kinds.filter((filterKind) =>
    filterKind === values
      ? filter.values.length > 0
      : filterKind.parameters.some((name) => textOf(filter, name)),
  )
  const usedRange = named.find(isRange)
  return named.filter((filterKind) => !isRange(filterKind) || filterKind === usedRange)
}

const isRange = (kind: FilterKind): kind is RangeKind => 'range' in kind

/** The parameters of filters, as `parseListFilters` reads them. */
export function formatFilters(filters: readonly ListFilter[]): URLSearchParams {
  const params = new URLSearchParams()
  for (const filter of filters) {
    const { name } = filter.property
    for (const value of filter.values) params.append(name, value)
    for (const parameter of kindsOf(filter).flatMap((kind) => kind.parameters)) {
      const text = textOf(filter, parameter)
      if (text) params.append(`${name}~${parameter}`, text)
    }
  }
  return params
}

/** Describes a filter in a few words: its label and its condition, such as "Joined" and " last quarter". Each condition begins with its own space. */
export function wordsOf(filter: ListFilter): { label: string; words: string } {
  const named = kindsOf(filter)
  const label = named.find((kind) => kind.label)?.label ?? filter.property.label
  return { label, words: named.map((kind) => kind.words(filter)).join(' and') }
}

/** Describes a filter in a few words, such as "Joined last quarter", "Ward: Armley" or "Age 18 to 25". */
export function describeFilter(filter: ListFilter): string {
  const { label, words } = wordsOf(filter)
  return label + words
}

/** The range of a filter: its days or numbers, those of its period, or the birth days of its ages; undefined without any. `today` is a day in UK time. */
export const rangeOf = (filter: ListFilter, today: string): Ends | undefined =>
  kindsOf(filter).find(isRange)?.range(filter, today)

/** The expression of filters, for `options.filter` of a list; undefined without filters. Attendance needs `resolveAttendance` before. `today` is a day in UK time. */
export function toFilterExpression(
  filters: readonly ListFilter[],
  today: string,
): FilterExpression | undefined {
  const parts = filters.flatMap((filter) =>
    kindsOf(filter).flatMap((kind) =>
      isRange(kind)
        ? toConditions(filter.property, kind.range(filter, today))
        : [kind.condition(filter)],
    ),
  )
  return parts.length > 1 ? { and: parts } : parts[0]
}

/** The conditions of a range; the days of attendance are in the condition of its people. */
const toConditions = (
  { name, type, isAttendance }: FilterProperty,
  ends: Ends,
): FilterExpression[] =>
  isAttendance ? [] : (valueKinds[type].range?.conditions(name, ends) ?? [])
