import { londonDay, repeatedZone, toLondon } from '../../model/timestamp.ts'

// Created on first use: building a format takes time.
let dayFormat: Intl.DateTimeFormat | undefined
let monthFormat: Intl.DateTimeFormat | undefined

/** A day (`YYYY-MM-DD`) in words, such as `Saturday 19 December 2026`. */
export function formatDay(day: string): string {
  dayFormat ??= new Intl.DateTimeFormat('en-GB', {
    ...({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const),
    timeZone: 'UTC',
  })
  return dayFormat.format(Date.parse(day)).replace(',', '')
}

/** A month (`YYYY-MM`) in words, such as `December 2026`. */
export function formatMonth(month: string): string {
  monthFormat ??= new Intl.DateTimeFormat('en-GB', {
    ...({ month: 'long', year: 'numeric' } as const),
    timeZone: 'UTC',
  })
  return monthFormat.format(Date.parse(`${month}-01`))
}

/** The UK time of a timestamp in words, such as `2pm`, `2:30pm` or `midday`, with the zone if clocks show it twice. */
export function formatTime(timestamp: string): string {
  const [hours = 0, minutes = 0] = toLondon(timestamp).slice(11).split(':').map(Number)
  if (minutes === 0 && hours % 12 === 0) return hours === 0 ? 'midnight' : 'midday'
  const minute = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`
  const zone = repeatedZone(timestamp)
  return `${hours % 12 || 12}${minute}${hours < 12 ? 'am' : 'pm'}${zone && ` ${zone}`}`
}

/** The lines that say when something takes place: the day and the time, or the start and the end. */
export function formatPeriod(start: string, end: string | null): string[] {
  const startDay = formatDay(londonDay(start))
  if (end === null || end === start) return [startDay, formatTime(start)]
  if (londonDay(end) === londonDay(start))
    return [startDay, `${formatTime(start)} to ${formatTime(end)}`]
  return [
    `${startDay}, ${formatTime(start)}`,
    `to ${formatDay(londonDay(end))}, ${formatTime(end)}`,
  ]
}
