import { isBirthDate } from '../../model/properties/recognise.ts'
import { namedReferences } from '../../model/references.ts'
import { measureRules } from '../../model/summary/measure-names.ts'
import { isDated } from '../../model/value-types.ts'
import type { FilterError, FilterProperty, ListFilter } from '../filters/filter.ts'
import { formatFilters, parseListFilters } from '../filters/filters.ts'
import { isPeriod } from '../filters/periods.ts'
import { valueKinds } from '../ui/value-kinds.ts'
import {
  type Countable,
  conditionsOf,
  countables,
  type LeftOut,
  leftOutOf,
  withoutPersonOf,
} from './countables.ts'
import { type Grouping, listGroupings } from './grouping.ts'
import { listMeasures, type ReportMeasure } from './measures.ts'
import type { ReportPeriod } from './period-days.ts'

/**
 * What a report counts. In its address, the parameters `$count`, `$measure` with `$least`, `$by`, `$split`, `$period`
 * with `$from` and `$to`, `$date`, `$compare`, `$hideBelow` and `$annual`; all names without `$` are filters as on lists. The form
 * sends a second `$by` in place of `$split`, and the measure of a field as `$measured`.
 */
export type ReportQuery = {
  countable: Countable
  measure: ReportMeasure
  /** How many records people have at least, for measures of people. */
  least: number
  by: Grouping
  split: Grouping | undefined
  /** The date that the period and the comparison refer to; undefined if the records have no dates. */
  date: FilterProperty | undefined
  period: ReportPeriod | undefined
  /** Whether to compare with the year before. */
  isCompared: boolean
  /** The number below which results are hidden, for publication. */
  hideBelow: number | undefined
  /** Whether the saved report is part of the annual return. */
  isAnnual: boolean
  filters: readonly ListFilter[]
  /** The filters of a list with the records that count. */
  conditions: readonly ListFilter[]
  /** The filters of a list with the records that refer to no person. */
  withoutPerson: readonly ListFilter[]
  leftOut: readonly LeftOut[]
}

/** A report's query, with the choices for its form and the parameters that have no effect. */
export type ParsedReport = {
  query: ReportQuery
  measures: readonly ReportMeasure[]
  groupings: readonly Grouping[]
  dates: readonly FilterProperty[]
  errors: readonly FilterError[]
}

/** What a report counts: the first choice for an unknown name. */
export const parseCountable = (params: URLSearchParams): Countable =>
  countables.find(({ name }) => name === params.get('$count')) ?? countables[0]

/** Parses the query of a report on records with these properties. Replaces an unknown choice by the usual one. */
export function parseReportQuery(
  params: URLSearchParams,
  countable: Countable,
  properties: readonly FilterProperty[],
): ParsedReport {
  const least = parseLeast(params)
  const fields = properties.filter(({ isAttendance }) => !isAttendance)
  const measures = listMeasures({ countable, properties: fields, least })
  const [usualMeasure] = measures
  const groupings = listGroupings(fields)
  const find = (wanted: string | null | undefined) => groupings.find(({ name }) => name === wanted)
  const [firstName, secondName = params.get('$split'), ...furtherNames] = params.getAll('$by')
  const dates = listDates(countable, fields)
  const by =
    find(firstName) ??
    groupings.find(({ name }) => name === countable.by || name.endsWith('.ward')) ??
    groupings.find(({ property }) => property.type === 'option') ??
    groupings.find(({ property }) => !property.isTechnical) ??
    groupings[0]
  if (!by || !usualMeasure) throw new Error(`${countable.collection} has no properties.`)
  const split = find(secondName)
  const { filters, errors } = parseListFilters(params, properties)
  const { period, errors: periodErrors } = parsePeriod(params)
  const date = dates.find(({ name }) => name === params.get('$date')) ?? dates[0]
  return {
    query: {
      countable,
      measure: measures.find(({ name }) => name === readMeasureName(params)) ?? usualMeasure,
      least,
      by,
      date,
      filters,
      conditions: conditionsOf(countable, properties),
      withoutPerson: withoutPersonOf(countable, properties),
      leftOut: leftOutOf(countable, properties),
      split: split?.name === by.name ? undefined : split,
      period: date && period,
      isCompared: date !== undefined && params.get('$compare') === 'true',
      hideBelow: params.get('$hideBelow') === String(smallNumber) ? smallNumber : undefined,
      isAnnual: params.get('$annual') === 'true',
    },
    measures,
    groupings,
    dates,
    errors: [
      ...errors,
      ...periodErrors,
      ...(furtherNames.length > 0 ? [{ name: 'By', message: 'Choose one or two fields.' }] : []),
    ],
  }
}

/** The value of `$measure` for the measure of a field, which `$measured` names. */
export const measureOfField = 'of-field'

const readMeasureName = (params: URLSearchParams): string | null => {
  const name = params.get('$measure')
  return name === measureOfField ? params.get('$measured') : name
}

/** The number below which people can ask to hide results, as is usual for publications. */
export const smallNumber = 5

const usualLeast = 3

/** The number of records that people have at least: the usual one for an unknown number. */
function parseLeast(params: URLSearchParams): number {
  const text = params.get('$least') ?? ''
  return /^[1-9]\d{0,2}$/.test(text) ? Number(text) : usualLeast
}

/** The name of the period with a first and a last day. */
export const fromTo = 'from-to'

/** Parses the period of a report. An unknown one has no effect, a wrong day is an error. */
function parsePeriod(params: URLSearchParams): {
  period: ReportPeriod | undefined
  errors: FilterError[]
} {
  const name = params.get('$period') ?? ''
  if (isPeriod(name)) return { period: name, errors: [] }
  const errors: FilterError[] = []
  const parseEnd = (end: 'From' | 'To') => {
    const text = name === fromTo ? (params.get(`$${end.toLowerCase()}`)?.trim() ?? '') : ''
    const day = text === '' ? undefined : valueKinds.date.range?.parse(text)
    if (text !== '' && !day)
      errors.push({ name: end, message: `“${text.slice(0, 64)}” is not ${valueKinds.date.isA}.` })
    return day
  }
  const from = parseEnd('From')
  const to = parseEnd('To')
  return { period: from || to ? { from, to } : undefined, errors }
}

/** Formats a report's query for its address. */
export function formatReportQuery(query: ReportQuery): URLSearchParams {
  const { countable, measure, least, by, split, date, period, isCompared, hideBelow, isAnnual } =
    query
  const params = new URLSearchParams({ $count: countable.name, $by: by.name })
  const { measured } = measure
  if (measured.measure !== 'count') params.set('$measure', measure.name)
  if (measureRules[measured.measure].countsPeople) params.set('$least', String(least))
  if (split) params.set('$split', split.name)
  if (date && (period || isCompared)) params.set('$date', date.name)
  if (typeof period === 'string') params.set('$period', period)
  else if (period) {
    params.set('$period', fromTo)
    if (period.from) params.set('$from', period.from)
    if (period.to) params.set('$to', period.to)
  }
  if (isCompared) params.set('$compare', 'true')
  if (hideBelow !== undefined) params.set('$hideBelow', String(hideBelow))
  if (isAnnual) params.set('$annual', 'true')
  for (const [name, value] of formatFilters(query.filters)) params.append(name, value)
  return params
}

/** The dates of the records themselves, the usual one first and none of birth. */
function listDates(countable: Countable, properties: readonly FilterProperty[]): FilterProperty[] {
  const references = namedReferences(countable.collection)
  const isOwn = ({ name }: FilterProperty) =>
    !references.some((reference) => name.startsWith(`${reference.name}.`))
  const isUsual = ({ name, label }: FilterProperty) =>
    countable.date ? name === countable.date : isJoining({ name, label })
  const dates = properties.filter(
    (property) => isDated(property) && isOwn(property) && !isBirthDate(property),
  )
  return [...dates.filter(isUsual), ...dates.filter((property) => !isUsual(property))]
}

/** Whether a date, by its name, is that on which people join. */
const isJoining = ({ name, label }: Pick<FilterProperty, 'name' | 'label'>) =>
  /join|member since|regist|sign.?up/i.test(name + label)

/** The date on which people join, if they have one. */
export const findJoiningDate = (
  properties: readonly FilterProperty[],
): FilterProperty | undefined =>
  properties.find((property) => property.type === 'date' && isJoining(property))
