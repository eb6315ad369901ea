import { englishWords } from '../../model/dates.ts'

/** The order of day and month in a date such as 03/04/2025. */
export type DateOrder = 'day-first' | 'month-first'

/** A parsed date with an optional time. */
type ParsedDate = {
  /** The day as `YYYY-MM-DD` in each order; undefined if the order gives no valid date. Both are equal if the spelling is unambiguous. */
  'day-first': string | undefined
  'month-first': string | undefined
  /** The time of day as `HH:mm:ss.sss`; undefined for a date without a time. */
  time: string | undefined
  /** The UTC offset as `+HH:mm` or `Z`; undefined without a time zone. */
  offset: string | undefined
  /** Whether the year has two digits. */
  hasShortYear: boolean
}

const optionalTime = '(?:(?:T|,? +at +|,? +)(.+))?'
const isoDate = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${optionalTime}$`)
const numericDate = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d{2})${optionalTime}$`)
const dayMonthDate = new RegExp(
  `^(?:[a-z]{3,9},? +)?(\\d{1,2})(?:st|nd|rd|th)?[- ]+(?:of +)?([a-z]{3,9})\\.?,?[- ]+(\\d{4}|\\d{2})${optionalTime}$`,
  'i',
)
const monthDayDate = new RegExp(
  `^(?:[a-z]{3,9},? +)?([a-z]{3,9})\\.? +(\\d{1,2})(?:st|nd|rd|th)?,? +(\\d{4})${optionalTime}$`,
  'i',
)
const timeOfDay =
  /^(\d{1,2})(?:[:.](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?)?(?: ?([ap])\.?m\.?)?(?: ?(Z|UTC|GMT|BST|(?:UTC|GMT)?[+-]\d{1,2}(?::?\d\d)?))?(?: ?\([^)]*\))?$/i
const monthAbbreviations = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const monthNames =
  'january february march april may june july august september october november december sept'.split(
    ' ',
  )

/** Parses a date such as 31/12/2025, 31 Dec 25, 2025-12-31 or December 31, 2025, with or without a time. */
export function parseDate(cell: string): ParsedDate | undefined {
  const first = cell.charCodeAt(0)
  const isDigit = first >= 48 && first <= 57
  if (cell.length < 6 || cell.length > 60) return undefined
  if (isDigit) {
    const isoMatch = isoDate.exec(cell)
    if (isoMatch)
      return buildDate(isoMatch[5], { year: isoMatch[1], month: isoMatch[3], day: isoMatch[4] })
    const numericMatch = numericDate.exec(cell)
    if (numericMatch) {
      const [, firstNumber, , secondNumber, year, time] = numericMatch
      return buildDate(
        time,
        { year, month: secondNumber, day: firstNumber },
        { year, month: firstNumber, day: secondNumber },
      )
    }
  }
  const dayMonthMatch = dayMonthDate.exec(cell)
  if (dayMonthMatch)
    return buildDate(dayMonthMatch[4], {
      year: dayMonthMatch[3],
      month: parseMonth(dayMonthMatch[2]),
      day: dayMonthMatch[1],
    })
  const monthDayMatch = isDigit ? null : monthDayDate.exec(cell)
  return monthDayMatch
    ? buildDate(monthDayMatch[4], {
        year: monthDayMatch[3],
        month: parseMonth(monthDayMatch[1]),
        day: monthDayMatch[2],
      })
    : undefined
}

type DateParts = { year: string | undefined; month: string | undefined; day: string | undefined }

function buildDate(
  time: string | undefined,
  parts: DateParts,
  monthFirst = parts,
): ParsedDate | undefined {
  const timeParts = time === undefined ? { time: undefined, offset: undefined } : parseTime(time)
  const dayFirst = toIsoDay(parts)
  const monthFirstDay = monthFirst === parts ? dayFirst : toIsoDay(monthFirst)
  if (!timeParts || (dayFirst === undefined && monthFirstDay === undefined)) return undefined
  return {
    'day-first': dayFirst,
    'month-first': monthFirstDay,
    ...timeParts,
    hasShortYear: parts.year?.length === 2,
  }
}

function toIsoDay({ year = '', month = '', day = '' }: DateParts): string | undefined {
  const fullYear = year.length === 2 ? `${year < '30' ? '20' : '19'}${year}` : year
  const [years, months, days] = [Number(fullYear), Number(month), Number(day)]
  const isLeap = years % 4 === 0 && (years % 100 !== 0 || years % 400 === 0)
  const lastDay = months === 2 && isLeap ? 29 : (lastDays[months - 1] ?? 0)
  if (years === 0 || days < 1 || days > lastDay) return undefined
  return `${fullYear}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

const lastDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function parseMonth(name = ''): string {
  const word = name.toLowerCase()
  const number = monthAbbreviations.includes(word.slice(0, 3))
    ? monthAbbreviations.indexOf(word.slice(0, 3)) + 1
    : 0
  return number > 0 && (word.length === 3 || monthNames.includes(word)) ? String(number) : ''
}

const namedTimes = new Map([
  [englishWords.midday, '12:00:00.000'],
  ['noon', '12:00:00.000'],
  [englishWords.midnight, '00:00:00.000'],
])

/** Parses a time of day such as 14:30, 2.30pm, 2pm, midday or 09:15:00+01:00. */
function parseTime(cell: string): { time: string; offset: string | undefined } | undefined {
  const text = cell.trim()
  const named = namedTimes.get(text.toLowerCase())
  if (named !== undefined) return { time: named, offset: undefined }
  const parts = timeOfDay.exec(text)
  if (!parts) return undefined
  const [, hour = '', minutes, second = '00', fraction = '', meridiem, zone] = parts
  // An hour alone is a time only with "am" or "pm".
  if (minutes === undefined && meridiem === undefined) return undefined
  const minute = minutes ?? '00'
  const isTwelveHour = meridiem !== undefined
  const hourNumber = Number(hour)
  if (isTwelveHour ? hourNumber < 1 || hourNumber > 12 : hourNumber > 23) return undefined
  if (Number(minute) > 59 || Number(second) > 59) return undefined
  const hours = isTwelveHour
    ? (hourNumber % 12) + (meridiem?.toLowerCase() === 'p' ? 12 : 0)
    : hourNumber
  const time = `${String(hours).padStart(2, '0')}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}`
  return { time, offset: zone && parseOffset(zone) }
}

function parseOffset(zone: string): string {
  if (/^(?:Z|UTC|GMT)$/i.test(zone)) return 'Z'
  if (/^BST$/i.test(zone)) return '+01:00'
  const [, sign = '+', hours = '', minutes = '00'] = /([+-])(\d{1,2}?):?(\d\d)?$/.exec(zone) ?? []
  return `${sign}${hours.padStart(2, '0')}:${minutes}`
}

const dayMs = 24 * 60 * 60 * 1000
// Excel counts a non-existent 29 February 1900, so numbers before 1 March 1900 are a day off.
const epoch = Date.UTC(1899, 11, 30)
const epoch1904 = Date.UTC(1904, 0, 1)
const minSerial = 61
const maxSerial = 2_958_465

/** Converts an Excel date number to `YYYY-MM-DD` or `YYYY-MM-DD HH:mm:ss`; returns undefined if it is out of range. */
export function parseSerialDate(serial: number, is1904 = false): string | undefined {
  if (!(serial >= (is1904 ? 0 : minSerial) && serial <= maxSerial)) return undefined
  const seconds = Math.round((serial * dayMs) / 1000) * 1000
  const iso = new Date((is1904 ? epoch1904 : epoch) + seconds).toISOString()
  const [date = '', time = ''] = iso.slice(0, 19).split('T')
  return time === '00:00:00' ? date : `${date} ${time}`
}

/** Converts Excel's fraction of a day to `HH:mm:ss`; returns undefined if it is out of range. */
export function parseSerialTime(serial: number): string | undefined {
  if (!(serial >= 0 && serial < 1)) return undefined
  return new Date(Math.round((serial * dayMs) / 1000) * 1000).toISOString().slice(11, 19)
}
