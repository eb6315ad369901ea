/** Which of the numbers in 03/04/2025 is the day. */
export type Order = 'day-first' | 'month-first'

/** A day, and perhaps a time, as it is spelt. */
export type SpeltDate = {
  /** The day as `YYYY-MM-DD`, read day first and month first; undefined where that is no day. The same where the spelling leaves no choice. */
  'day-first': string | undefined
  'month-first': string | undefined
  /** The time of day as `HH:mm:ss.sss`, if it is said. */
  time: string | undefined
  /** The difference to UTC as `+HH:mm`, or `Z`, if it is said. */
  offset: string | undefined
  /** Whether the year has two digits. */
  isShort: boolean
}

const end = '(?:(?:T|,? +at +|,? +)(.+))?'
const iso = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${end}$`)
const numeric = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d{2})${end}$`)
const dayMonth = new RegExp(
  `^(?:[a-z]{3,9},? +)?(\\d{1,2})(?:st|nd|rd|th)?[- ]+(?:of +)?([a-z]{3,9})\\.?,?[- ]+(\\d{4}|\\d{2})${end}$`,
  'i',
)
const monthDay = new RegExp(
  `^(?:[a-z]{3,9},? +)?([a-z]{3,9})\\.? +(\\d{1,2})(?:st|nd|rd|th)?,? +(\\d{4})${end}$`,
  'i',
)
const clock =
  /^(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?(?: ?([ap])\.?m\.?)?(?: ?(Z|UTC|GMT|BST|(?:UTC|GMT)?[+-]\d{1,2}(?::?\d\d)?))?(?: ?\([^)]*\))?$/i
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const longMonths =
  'january february march april may june july august september october november december sept'.split(
    ' ',
  )

/** Reads a day such as 31/12/2025, 31 Dec 25, 2025-12-31 or December 31, 2025, with a time or without. */
export function readDate(cell: string): SpeltDate | undefined {
  const first = cell.charCodeAt(0)
  const isDigit = first >= 48 && first <= 57
  if (cell.length < 6 || cell.length > 60) return undefined
  if (isDigit) {
    const parts = iso.exec(cell)
    if (parts) return spelt(parts[5], { year: parts[1], month: parts[3], day: parts[4] })
    const two = numeric.exec(cell)
    if (two) {
      const [, one, , other, year, time] = two
      return spelt(time, { year, month: other, day: one }, { year, month: one, day: other })
    }
  }
  const named = dayMonth.exec(cell)
  if (named) return spelt(named[4], { year: named[3], month: monthOf(named[2]), day: named[1] })
  const us = isDigit ? null : monthDay.exec(cell)
  return us ? spelt(us[4], { year: us[3], month: monthOf(us[1]), day: us[2] }) : undefined
}

type Parts = { year: string | undefined; month: string | undefined; day: string | undefined }

function spelt(time: string | undefined, parts: Parts, monthFirst = parts): SpeltDate | undefined {
  const read = time === undefined ? { time: undefined, offset: undefined } : readTime(time)
  const dayFirst = dayOf(parts)
  const other = monthFirst === parts ? dayFirst : dayOf(monthFirst)
  if (!read || (dayFirst === undefined && other === undefined)) return undefined
  return {
    'day-first': dayFirst,
    'month-first': other,
    ...read,
    isShort: parts.year?.length === 2,
  }
}

function dayOf({ year = '', month = '', day = '' }: Parts): string | undefined {
  const whole = year.length === 2 ? `${year < '30' ? '20' : '19'}${year}` : year
  const [years, months, days] = [Number(whole), Number(month), Number(day)]
  const isLeap = years % 4 === 0 && (years % 100 !== 0 || years % 400 === 0)
  const last = months === 2 && isLeap ? 29 : (lastDays[months - 1] ?? 0)
  if (years === 0 || days < 1 || days > last) return undefined
  return `${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

const lastDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function monthOf(name = ''): string {
  const word = name.toLowerCase()
  const at = months.includes(word.slice(0, 3)) ? months.indexOf(word.slice(0, 3)) + 1 : 0
  return at > 0 && (word.length === 3 || longMonths.includes(word)) ? String(at) : ''
}

/** Reads a time of day such as 14:30, 2.30pm or 09:15:00+01:00. */
function readTime(cell: string): { time: string; offset: string | undefined } | undefined {
  const parts = clock.exec(cell.trim())
  if (!parts) return undefined
  const [, hour = '', minute = '', second = '00', fraction = '', half, zone] = parts
  const isTwelve = half !== undefined
  const given = Number(hour)
  if (isTwelve ? given < 1 || given > 12 : given > 23) return undefined
  if (Number(minute) > 59 || Number(second) > 59) return undefined
  const hours = isTwelve ? (given % 12) + (half?.toLowerCase() === 'p' ? 12 : 0) : given
  const time = `${String(hours).padStart(2, '0')}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}`
  return { time, offset: zone && offsetOf(zone) }
}

function offsetOf(zone: string): string {
  if (/^(?:Z|UTC|GMT)$/i.test(zone)) return 'Z'
  if (/^BST$/i.test(zone)) return '+01:00'
  const [, sign = '+', hours = '', minutes = '00'] = /([+-])(\d{1,2}?):?(\d\d)?$/.exec(zone) ?? []
  return `${sign}${hours.padStart(2, '0')}:${minutes}`
}
