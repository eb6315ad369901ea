import { englishWords, formatShortDay } from './dates.ts'

/** How often an event takes place. */
export type Repetition = {
  unit: 'day' | 'week' | 'weekday of the month' | 'month'
  /** Every how many units. */
  every: number
  /** The last possible day, or the number of dates. */
  end: { until: string } | { count: number }
}

/** The maximum number of dates of a series. */
export const maxDates = 150
/** Months without a matching day need more steps than dates. */
const maxSteps = 4 * maxDates

/**
 * The days of a series (`YYYY-MM-DD`), the first one included. Leaves out months without the
 * day. Returns at most one day more than `maxDates`.
 */
export function listDays(first: string, { unit, every, end }: Repetition): string[] {
  const days: string[] = []
  const maxDays = Math.min('count' in end ? end.count : maxDates + 1, maxDates + 1)
  for (let step = 0; step < maxSteps && days.length < maxDays; step++) {
    const day = stepFrom(first, unit, step * every)
    if (day === undefined) continue
    if ('until' in end && day > end.until) break
    days.push(day)
  }
  return days
}

/** The day some units after the first; undefined if its month has no such day. */
function stepFrom(first: string, unit: Repetition['unit'], units: number): string | undefined {
  const [year = 0, month = 1, date = 1] = first.split('-').map(Number)
  if (unit === 'day' || unit === 'week')
    return toDay(year, month, date + units * (unit === 'day' ? 1 : 7))
  if (unit === 'month') {
    const day = toDay(year, month + units, date)
    return day.endsWith(first.slice(-3)) ? day : undefined
  }
  const weekday = weekdayOf(first)
  const ordinal = ordinalOf(first)
  if (ordinal === lastOrdinal) {
    const end = toDay(year, month + units + 1, 0)
    const [endYear = 0, endMonth = 1, endDate = 1] = end.split('-').map(Number)
    return toDay(endYear, endMonth, endDate - ((weekdayOf(end) - weekday + 7) % 7))
  }
  const start = toDay(year, month + units, 1)
  const [startYear = 0, startMonth = 1] = start.split('-').map(Number)
  const offset = (weekday - weekdayOf(start) + 7) % 7
  return toDay(startYear, startMonth, 1 + offset + 7 * (ordinal - 1))
}

const toDay = (year: number, month: number, date: number) =>
  new Date(Date.UTC(year, month - 1, date)).toISOString().slice(0, 10)

const weekdayOf = (day: string) => new Date(day).getUTCDay()

const lastOrdinal = -1

/** Whether a day is the first to fourth of its weekday in the month, or -1 for a fifth: the last. */
function ordinalOf(day: string): number {
  const ordinal = Math.ceil(Number(day.slice(8)) / 7)
  return ordinal === 5 ? lastOrdinal : ordinal
}

const weekdayCodes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** The recurrence of a series for the contract (2.6): its type and its rule of iCalendar. */
export function toRecurrence(first: string, { unit, every, end }: Repetition) {
  const weekday = weekdayCodes[weekdayOf(first)]
  const rules = {
    day: { type: 'daily', parts: [] },
    week: { type: 'weekly', parts: [`BYDAY=${weekday}`] },
    'weekday of the month': { type: 'monthly', parts: [`BYDAY=${ordinalOf(first)}${weekday}`] },
    month: { type: 'monthly', parts: [`BYMONTHDAY=${Number(first.slice(8))}`] },
  }
  const { type, parts } = rules[unit]
  const last =
    'until' in end ? `UNTIL=${end.until.replaceAll('-', '')}T235959Z` : `COUNT=${end.count}`
  const interval = every === 1 ? [] : [`INTERVAL=${every}`]
  const rrule = [`FREQ=${type.toUpperCase()}`, ...interval, ...parts, last].join(';')
  return { type, recurring: true, rrule }
}

const ordinals = ['first', 'second', 'third', 'fourth']

/** A frequency in words, such as `Every second week`. */
export function describeFrequency({ unit, every }: Omit<Repetition, 'end'>): string {
  const noun = unit === 'weekday of the month' ? 'month' : unit
  return every === 1 ? `Every ${noun}` : `Every ${ordinals[every - 1] ?? `${every}th`} ${noun}`
}

/** The day of a repetition in words, such as `on Tuesday`; more general without a first day. */
export function describeDay(first: string, unit: Repetition['unit']): string {
  if (unit === 'day') return ''
  if (unit === 'month') return first && `on day ${Number(first.slice(8))}`
  if (first === '') return unit === 'week' ? '' : 'on the same weekday'
  const weekday = englishWords.weekdays[weekdayOf(first)]
  if (unit === 'week') return `on ${weekday}`
  return `on the ${ordinals[ordinalOf(first) - 1] ?? 'last'} ${weekday}`
}

/** A rule of iCalendar in words, such as `Every second week on Tuesday until 13 Apr 2027`; unchanged if it has parts without words here. */
export function describeRepetition(rule: string): string {
  const parts = new Map(
    rule.split(';').map((part) => {
      const [name = '', value = ''] = part.split('=')
      return [name, value] as const
    }),
  )
  const [frequency, days, count, until] = ['FREQ', 'BYDAY', 'COUNT', 'UNTIL'].map((name) =>
    parts.get(name),
  )
  const every = Number(parts.get('INTERVAL') ?? 1)
  const unit = units[frequency ?? '']
  const isKnown = [...parts.keys()].every((name) => knownParts.includes(name))
  const dayWords = describeDays(days, parts.get('BYMONTHDAY'))
  if (!unit || !isKnown || dayWords === undefined || !Number.isInteger(every)) return rule
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)/.exec(until ?? '') ?? []
  return [
    describeFrequency({ unit, every }),
    dayWords,
    year && `until ${formatShortDay(`${year}-${month}-${date}`)}`,
    count && `on ${count} dates`,
  ]
    .filter(Boolean)
    .join(' ')
}

const knownParts = ['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'COUNT', 'UNTIL', 'WKST']
const units: Readonly<Record<string, Repetition['unit']>> = {
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
}

/** The days of a rule in words, '' for none; undefined for unknown days. */
function describeDays(days: string | undefined, date: string | undefined): string | undefined {
  if (days === undefined) return date === undefined ? '' : `on day ${date}`
  const names = days.split(',').map((day) => {
    const [, ordinal, code = ''] = /^(-1|[1-4])?([A-Z]{2})$/.exec(day) ?? []
    const weekday = englishWords.weekdays[weekdayCodes.indexOf(code)]
    if (weekday === undefined || ordinal === undefined) return weekday
    return `the ${ordinals[Number(ordinal) - 1] ?? 'last'} ${weekday}`
  })
  if (names.includes(undefined)) return undefined
  return `on ${[names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')}`
}
