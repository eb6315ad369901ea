import { namedReferences } from '../../model/references.ts'
import { isBirthDate } from '../collection/property-formats.ts'
import {
  type FilterError,
  type FilterProperty,
  formatFilters,
  type ListFilter,
  parseListFilters,
} from '../records/list/list-filters.ts'
import { isPeriod, type Period } from '../records/list/periods.ts'
import { type Countable, conditionsOf, countables } from './countables.ts'
import { type Grouping, isDated, listGroupings } from './grouping.ts'

/**
 * What a report counts. In its address, the parameters `$count`, `$by`, `$split`, `$period`, `$date`
 * and `$compare`; all names without `$` are filters as on lists.
 */
export type ReportQuery = {
  countable: Countable
  by: Grouping
  split: Grouping | undefined
  /** The date that the period and the comparison refer to; undefined if the records have no dates. */
  date: FilterProperty | undefined
  period: Period | undefined
  /** Whether to compare with the year before. */
  isCompared: boolean
  filters: readonly ListFilter[]
  /** The conditions that make a record count. */
  conditions: readonly ListFilter[]
}

/** A report's query, with the choices for its form and the parameters that have no effect. */
export type ParsedReport = {
  query: ReportQuery
  groupings: readonly Grouping[]
  dates: readonly FilterProperty[]
  errors: readonly FilterError[]
}

/** Returns what a report counts: the first choice for an unknown name. */
export const parseCountable = (params: URLSearchParams): Countable =>
  countables.find(({ name }) => name === params.get('$count')) ?? countables[0]

/** Parses the query of a report on records with these properties, on a day in UK time. Replaces an unknown choice by the usual one. */
export function parseReportQuery(
  params: URLSearchParams,
  countable: Countable,
  properties: readonly FilterProperty[],
  today: string,
): ParsedReport {
  const groupings = listGroupings(properties)
  const find = (parameter: string) => groupings.find(({ name }) => name === params.get(parameter))
  const dates = listDates(countable, properties)
  const by =
    find('$by') ??
    groupings.find(({ name }) => name === countable.by || name.endsWith('.ward')) ??
    groupings.find(({ property }) => property.type === 'option') ??
    groupings[0]
  if (!by) throw new Error(`${countable.collection} has no properties.`)
  const split = find('$split')
  const period = params.get('$period') ?? ''
  const { filters, errors } = parseListFilters(params, properties)
  const date = dates.find(({ name }) => name === params.get('$date')) ?? dates[0]
  return {
    query: {
      ...{ countable, by, date, filters },
      conditions: conditionsOf(countable, properties, today),
      split: split?.name === by.name ? undefined : split,
      period: date && isPeriod(period) ? period : undefined,
      isCompared: date !== undefined && params.get('$compare') === 'true',
    },
    ...{ groupings, dates, errors },
  }
}

/** Formats a report's query for its address. */
export function formatReportQuery(query: ReportQuery): URLSearchParams {
  const { countable, by, split, date, period, isCompared, filters } = query
  const params = new URLSearchParams({ $count: countable.name, $by: by.name })
  if (split) params.set('$split', split.name)
  if (date && (period || isCompared)) params.set('$date', date.name)
  if (period) params.set('$period', period)
  if (isCompared) params.set('$compare', 'true')
  for (const [name, value] of formatFilters(filters)) params.append(name, value)
  return params
}

/** Returns the dates of the records themselves, the usual one first and none of birth. */
function listDates(countable: Countable, properties: readonly FilterProperty[]): FilterProperty[] {
  const references = namedReferences(countable.collection)
  const isOwn = ({ name }: FilterProperty) =>
    !references.some((reference) => name.startsWith(`${reference.name}.`))
  const isUsual = ({ name, label }: FilterProperty) =>
    countable.date ? name === countable.date : joining.test(name + label)
  const dates = properties.filter(
    (property) => isDated(property) && isOwn(property) && !isBirthDate(property),
  )
  return [...dates.filter(isUsual), ...dates.filter((property) => !isUsual(property))]
}

/** Matches the names of dates on which people join. */
export const joining = /join|member since|regist|sign.?up/i
