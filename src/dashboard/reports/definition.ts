import { formatShortDay } from '../../model/dates.ts'
import { referencesToPeople } from '../../model/properties/people-references.ts'
import { measureRules } from '../../model/summary/measure-names.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { joinNames } from '../../platform/join-names.ts'
import { type Ends, valueKinds } from '../ui/value-kinds.ts'
import { isAgeFilter, isAgeGroup } from './ages-on-day.ts'
import type { Report } from './count-report.ts'
import { startLower } from './grouping.ts'
import { capitalise } from './load-report.ts'
import type { Result } from './measures.ts'
import type { ReportQuery } from './report-query.ts'

/** Says in sentences what a report counts, and over what. */
export function defineReport(
  query: ReportQuery,
  { days }: Report,
  filterWords: readonly string[],
): string[] {
  const { name, plural } = query.countable
  const ofPeople = listDetailsOfPeople(query)
  const period = describeDays(days)
  const isAll = period === '' && filterWords.length === 0
  const records =
    name === 'attendances'
      ? 'Attendances are bookings of people who came'
      : capitalise(isAll ? `all ${plural}` : plural)
  return [
    `${records}${period && ` ${period}`}.`,
    ...(filterWords.length > 0 ? [`Only: ${filterWords.join('; ')}.`] : []),
    ...(countsPeople(query) ? [describePeople(query)] : []),
    ...(ofPeople.length > 0
      ? [
          `${capitalise(joinNames(ofPeople))} ${ofPeople.length > 1 ? 'are those' : 'is that'} of today.`,
        ]
      : []),
    ...(namesAges(query) ? [describeAges(query)] : []),
  ]
}

/** Whether a report counts the people that records refer to. */
export const countsPeople = ({ measure: { measured } }: ReportQuery): boolean =>
  measureRules[measured.measure].countsPeople === true

const describePeople = ({ measure: { measured } }: ReportQuery): string =>
  measureRules[measured.measure].readsDates
    ? 'Before is the first of each person by date, and after is the last. People with only one are left out.'
    : 'Each person is counted once.'

/** The details of people, except ages, by which a report groups other records. */
function listDetailsOfPeople({ countable, by, split }: ReportQuery): string[] {
  const prefixes = referencesToPeople(countable.collection).map(({ name }) => `${name}.`)
  return [by, ...(split ? [split] : [])]
    .filter(({ name, bucket }) => bucket !== 'age' && prefixes.some((it) => name.startsWith(it)))
    .map(({ choice }) => startLower(choice))
}

/** Explains how a report counts, in sentences. */
export function explainReport(query: ReportQuery, { days }: Report): string[] {
  const { countable, date, hideBelow } = query
  const hasPeriod = days.from !== undefined || days.to !== undefined
  return [
    ...(countable.name === 'attendances' ? [whoCame] : []),
    ...(isMultiple(query) ? ['A record with several values counts for each of them.'] : []),
    ...(date && hasPeriod ? [`The period refers to “${date.label}”.`] : []),
    ...(hideBelow === undefined
      ? []
      : [`Numbers below ${hideBelow} are hidden, and others from which they could be worked out.`]),
  ]
}

const whoCame =
  'Somebody came if the register says so. Where nobody took the register, past bookings of another system count as it says; bookings made here do not count until they are marked.'

/** The number of bookings that do not count, such as "2 not marked". */
export const formatNotMarked = (bookings: Result): string =>
  typeof bookings === 'number' ? `${formatNumber(bookings)} not marked` : 'some not marked'

/** Whether a record can have several groups. */
export const isMultiple = ({ by }: ReportQuery) => valueKinds[by.property.type].isList === true

const namesAges = ({ by, split, filters }: ReportQuery): boolean =>
  [by, split].some((grouping) => grouping?.bucket === 'age') ||
  filters.some(({ minage, maxage }) => minage || maxage)

function describeAges(query: ReportQuery): string {
  const { by, split, filters, countable, isCompared } = query
  const isOnDay =
    [by, split].some((grouping) => grouping && isAgeGroup(query, grouping)) ||
    filters.some((filter) => isAgeFilter(query, filter))
  if (isOnDay) return `Ages are those on the day of each ${countable.singular}.`
  return isCompared
    ? 'Ages are those of today, and of the year before those of then.'
    : 'Ages are those of today.'
}

/** Days in words, such as "from 1 Apr 2026 to 30 Jun 2026"; '' for all days. */
export function describeDays({ from, to }: Ends): string {
  if (from && to) return `from ${formatShortDay(from)} to ${formatShortDay(to)}`
  if (from) return `from ${formatShortDay(from)} on`
  return to ? `until ${formatShortDay(to)}` : ''
}
