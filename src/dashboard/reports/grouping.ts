import { formatMonths } from '../../model/dates.ts'
import { areaName } from '../../model/properties/area-fields.ts'
import { isBirthDate } from '../../model/properties/recognise.ts'
import { describeValue, type FilterProperty, type ListFilter } from '../filters/filter.ts'
import { addDays, valueKinds } from '../ui/value-kinds.ts'
import { ageGrouper, describeAges, groupBirthDays } from './age-groups.ts'

/** How the values of a date are grouped. */
type Unit = 'month' | 'quarter' | 'year' | 'age'

/** A way to group records: by the values of a property, or by a unit of its dates. */
export type Grouping = {
  /** The name in a report's address, such as `event.start~month`. */
  name: string
  label: string
  property: FilterProperty
  unit?: Unit
}

const calendarUnits = ['month', 'quarter', 'year'] as const

/** The ways to group by these properties, in their order. */
export const listGroupings = (properties: readonly FilterProperty[]): Grouping[] =>
  properties.flatMap((property): Grouping[] => {
    const { name, label, type } = property
    const { groups } = valueKinds[type]
    if (groups === 'none') return []
    if (groups === 'values') return [{ name, label: shortLabel(property), property }]
    const units = isBirthDate(property) ? (['age', ...calendarUnits] as const) : calendarUnits
    return units.map((unit) => ({
      name: `${name}~${unit}`,
      property,
      unit,
      label: unit === 'age' ? 'Age group' : labelUnit(unit, label),
    }))
  })

/** The label of a unit: "Month", "Month joined" or "Month (Event start)". */
function labelUnit(unit: Unit, label: string): string {
  const name = unit.charAt(0).toUpperCase() + unit.slice(1)
  if (label === 'Date') return name
  return /^\w+ed$/.test(label) ? `${name} ${label.toLowerCase()}` : `${name} (${label})`
}

/**
 * Returns a function for the key of a value's group: '' for no value, otherwise the value, the month or quarter as
 * `2026-03` or `2026-Q1`, the year or the first age.
 */
export function groupKeys({ property, unit }: Grouping, today: string): (value: unknown) => string {
  if (unit === undefined) return (value) => String(value ?? '')
  const toDay = valueKinds[property.type].day
  const toKey = unit === 'age' ? ageKeys(today) : calendarKeys[unit]
  return (value) => {
    const day = toDay?.(String(value ?? '')) ?? ''
    return /^\d{4}-\d\d-\d\d/.test(day) ? toKey(day) : ''
  }
}

function ageKeys(today: string): (day: string) => string {
  const firstAgeOf = ageGrouper(today)
  return (day) => String(firstAgeOf(day) ?? '')
}

/** The keys of a day's month, quarter and year. */
const calendarKeys = {
  month: (day: string) => day.slice(0, 7),
  quarter: (day: string) => `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`,
  year: (day: string) => day.slice(0, 4),
}

/** The name of a group, such as "Armley", "Mar 2026", "Jan to Mar 2026" or "No ward". */
export function describeGroup({ property, unit }: Grouping, key: string): string {
  if (key === '') return `No ${startLower(shortLabel(property))}`
  if (unit === undefined) return describeValue(key, property)
  if (unit === 'age') return describeAges(Number(key))
  const [year = '', part = ''] = key.split('-')
  if (part === '') return year
  if (unit === 'month') return formatMonths(year, Number(part))
  const last = 3 * Number(part.slice(1))
  return formatMonths(year, last - 2, last)
}

/** The filter of the records in a group. */
export function toGroupFilter(
  { property, unit }: Grouping,
  key: string,
  today: string,
): ListFilter {
  if (key === '' || unit === undefined) return { property, values: [key] }
  if (unit === 'age') return { property, values: [], ...groupBirthDays(Number(key), today) }
  const [year = '', part = ''] = key.split('-')
  const first = unit === 'quarter' ? 3 * (Number(part.slice(1)) - 1) + 1 : Number(part || '1')
  const count = { month: 1, quarter: 3, year: 12 }[unit]
  const start = (month: number) =>
    new Date(Date.UTC(Number(year), month - 1, 1)).toISOString().slice(0, 10)
  return { property, values: [], from: start(first), to: addDays(start(first + count), -1) }
}

/** The key of the same group a year later. Ages and values stay the same. */
export function nextYearKey({ unit }: Grouping, key: string): string {
  if (key === '' || unit === undefined || unit === 'age') return key
  return `${Number(key.slice(0, 4)) + 1}${key.slice(4)}`
}

/** The label of a property, without the postcode field that an area comes from. */
const shortLabel = ({ name, label }: FilterProperty) => areaName(name) ?? label

/** Starts a label in lower case, except an abbreviation such as "GP surgery". */
export const startLower = (label: string) =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
