import { londonDay, repeatedZone, toLondon } from './timestamp.ts'

/** The words of a language in days and times. */
export type DateWords = {
  weekdays: readonly string[]
  months: readonly string[]
  shortMonths: readonly string[]
  midday: string
  midnight: string
  am: string
  pm: string
  /** Joins the start and the end of a period. */
  to: string
}

/**
 * Formats the days and times of all pages and letters, so that one event has the same time everywhere.
 * A day is `YYYY-MM-DD`, a time a timestamp that is shown in UK time. A text that is neither stays as it
 * is. Tables have the short forms. `Intl` would take 13 ms at its first use in an isolate.
 */
export function dateFormats(words: DateWords) {
  /** Such as "Saturday 19 December 2026". */
  function formatDay(day: string): string {
    const parts = parseDay(day)
    if (!parts) return day
    const { year, month, date } = parts
    const weekday = words.weekdays[new Date(Date.UTC(year, month - 1, date)).getUTCDay()]
    return `${weekday} ${date} ${words.months[month - 1]} ${year}`
  }

  /** Such as "19 Dec 2026". */
  function formatShortDay(day: string): string {
    const parts = parseDay(day)
    return parts ? `${parts.date} ${words.shortMonths[parts.month - 1]} ${parts.year}` : day
  }

  /** Such as "Sat 19 Dec 2026". */
  const formatDateWithWeekday = (day: string) =>
    parseDay(day) ? `${formatDay(day).slice(0, 3)} ${formatShortDay(day)}` : day

  /** Such as "2pm", "2:30pm" or "midday", with the zone if clocks show the time twice. */
  function formatTime(time: string): string {
    const [hours = 0, minutes = 0] = toLondon(time).slice(11).split(':').map(Number)
    if (minutes === 0 && hours % 12 === 0) return hours === 0 ? words.midnight : words.midday
    const minute = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`
    const half = hours < 12 ? words.am : words.pm
    return `${hours % 12 || 12}${minute}${half} ${repeatedZone(time)}`.trimEnd()
  }

  const dayAndTime = (time: string, format: (day: string) => string) => {
    const day = londonDay(time)
    return day === '' ? time : `${format(day)}, ${formatTime(time)}`
  }

  /** Such as "Saturday 19 December 2026, 2pm". */
  const formatMoment = (time: string) => dayAndTime(time, formatDay)

  return {
    formatDay,
    formatShortDay,
    formatDateWithWeekday,
    formatTime,
    formatMoment,
    /** Such as "19 Dec 2026, 2pm". */
    formatShortMoment: (time: string) => dayAndTime(time, formatShortDay),
    /** A month (`YYYY-MM`), such as "December 2026". */
    formatMonth: (month: string) =>
      `${words.months[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`,
    /** Months of a year by number, such as "Mar 2026" or "Jan to Mar 2026". */
    formatMonths(year: string, first: number, last = first): string {
      const name = words.shortMonths[first - 1]
      const period = first === last ? name : `${name} ${words.to} ${words.shortMonths[last - 1]}`
      return `${period} ${year}`
    },
    /** The lines that say when something takes place: the day and the time, or the start and the end. */
    formatPeriod(start: string, end: string | null | undefined): string[] {
      const startDay = formatDay(londonDay(start))
      if (!end || end === start) return [startDay, formatTime(start)]
      if (londonDay(end) === londonDay(start))
        return [startDay, `${formatTime(start)} ${words.to} ${formatTime(end)}`]
      return [formatMoment(start), `${words.to} ${formatMoment(end)}`]
    },
  }
}

function parseDay(day: string) {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)/.exec(day) ?? []
  return year ? { year: Number(year), month: Number(month), date: Number(date) } : undefined
}

export const englishWords = {
  weekdays: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  months:
    'January February March April May June July August September October November December'.split(
      ' ',
    ),
  shortMonths: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
  midday: 'midday',
  midnight: 'midnight',
  am: 'am',
  pm: 'pm',
  to: 'to',
} satisfies DateWords

export const englishDates = dateFormats(englishWords)

export const {
  formatDay,
  formatShortDay,
  formatDateWithWeekday,
  formatTime,
  formatMoment,
  formatShortMoment,
  formatMonth,
  formatMonths,
  formatPeriod,
} = englishDates
