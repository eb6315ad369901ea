import { formatShortDay } from '../../model/dates.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { describeRecordCount, describeWithoutPerson } from '../../resources/summary/describe.ts'
import { type Ends, valueKinds } from '../ui/value-kinds.ts'
import type { Report, ReportCell } from './count-report.ts'
import { capitalise } from './load-report.ts'
import type { Result } from './measures.ts'
import type { ReportQuery } from './report-query.ts'

/** A sentence, and the filters of a list of the records that it is about. */
export type Sentence = { text: string; filters?: ReportCell['filters'] }

/** Says in sentences what a report counted, over what, and what it left out. */
export function defineReport(
  { countable }: ReportQuery,
  { counted, days }: Report,
  filterWords: readonly string[],
): Sentence[] {
  const { singular, plural } = countable
  const count = (records: Result) =>
    typeof records === 'number' ? formatCount(records, singular, plural) : capitalise(plural)
  const { records, people, withoutPerson, notMarked } = counted
  const total = describeRecordCount(count(records), typeof people === 'number' ? people : undefined)
  return [
    { text: `${total}${describePeriod(days)}.` },
    ...(filterWords.length > 0 ? [{ text: `Only: ${filterWords.join('; ')}.` }] : []),
    ...(withoutPerson
      ? [
          {
            text: describeWithoutPerson(count(withoutPerson.result), withoutPerson.result === 1),
            filters: withoutPerson.filters,
          },
        ]
      : []),
    ...(notMarked ? [{ text: describeNotMarked(notMarked) }] : []),
  ]
}

/** Explains how a report counts, in sentences. */
export function explainReport(query: ReportQuery, { days }: Report): string[] {
  const { countable, date, measure, hideBelow } = query
  const hasPeriod = days.from !== undefined || days.to !== undefined
  return [
    ...(countable.name === 'attendances' ? [whoCame] : []),
    ...(isMultiple(query) ? ['A record with several values counts for each of them.'] : []),
    ...(measure.section ? [`Records without a value in “${measure.choice}” are left out.`] : []),
    ...(namesAges(query) ? [describeAges(query)] : []),
    ...(date && hasPeriod ? [`The period refers to “${date.label}”.`] : []),
    ...(hideBelow === undefined
      ? []
      : [`Numbers below ${hideBelow} are hidden, and others from which they could be worked out.`]),
  ]
}

const whoCame =
  'Somebody came if the register says so. Where nobody took the register, past bookings of another system count as it says; bookings made here do not count until they are marked.'

const describeNotMarked = (bookings: Result): string =>
  typeof bookings === 'number'
    ? `${formatCount(bookings, 'booking is', 'bookings are')} left out because nobody marked them.`
    : 'Some bookings are left out because nobody marked them.'

/** The number of bookings that do not count, such as "2 not marked". */
export const formatNotMarked = (bookings: Result): string =>
  typeof bookings === 'number' ? `${formatNumber(bookings)} not marked` : 'some not marked'

/** Whether a record can have several groups. */
export const isMultiple = ({ by }: ReportQuery) => valueKinds[by.property.type].isList === true

const namesAges = ({ by, split, filters }: ReportQuery): boolean =>
  [by, split].some((grouping) => grouping?.bucket === 'age') ||
  filters.some(({ minage, maxage }) => minage || maxage)

const describeAges = ({ isCompared }: ReportQuery) =>
  isCompared
    ? 'Ages are those of today, and of the year before those of then.'
    : 'Ages are those of today.'

function describePeriod({ from, to }: Ends): string {
  if (from && to) return ` from ${formatShortDay(from)} to ${formatShortDay(to)}`
  if (from) return ` from ${formatShortDay(from)} on`
  return to ? ` until ${formatShortDay(to)}` : ''
}
