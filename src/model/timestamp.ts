import { TimeZone } from '../platform/time-zone.ts'

let zone: TimeZone | undefined

// Created on first use: most requests need no time zone, and its data takes time to load.
const london = () => {
  zone ??= new TimeZone('Europe/London')
  return zone
}

/** A timestamp in UK time for a form: `YYYY-MM-DDTHH:mm`, or '' for none. */
export function toLondon(timestamp: string): string {
  const time = Date.parse(timestamp)
  return Number.isNaN(time) ? '' : london().local(time).slice(0, 16)
}

/**
 * The UK day of a timestamp or of a time in milliseconds, as `YYYY-MM-DD`, or '' for none.
 *
 * UK clocks show UTC or an hour more since 1972, so the day can differ only from 11pm. At other times this does without
 * the time zone, which takes a new isolate 25 ms to load.
 */
export function londonDay(time: string | number): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  const utc = date.toISOString()
  const isSameDay = date.getUTCFullYear() >= 1972 && date.getUTCHours() < 23
  return (isSameDay ? utc : toLondon(utc)).slice(0, 10)
}

/** `BST` or `GMT` for a timestamp that UK clocks show twice, when they go back; otherwise ''. */
export function repeatedZone(timestamp: string): 'BST' | 'GMT' | '' {
  const time = Date.parse(timestamp)
  const local = toLondon(timestamp)
  // Clocks go back from 2am to 1am.
  if (!local.includes('T01:')) return ''
  const isShownAfter = (ms: number) => local === toLondon(new Date(time + ms).toISOString())
  if (isShownAfter(hourMs)) return 'BST'
  return isShownAfter(-hourMs) ? 'GMT' : ''
}

const hourMs = 3_600_000

/** Converts a UK time to a timestamp; undefined for a time that does not exist. A time that occurs twice, when the clocks go back, means the first. */
export function fromLondon(local: string): string | undefined {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(local) ?? []
  if (!date || toTimestamp(local) === undefined) return undefined
  const instant = london().instant(date, `${time}:00.000`)
  if ('utc' in instant) return instant.utc
  return instant.unclear === 'twice' ? instant.first : undefined
}

/** Whether a text is a real date in the form `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  // An impossible day, such as 30 February, becomes another one.
  const time = Date.parse(`${text}T00:00:00.000Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Converts a text in ISO 8601 to `YYYY-MM-DDTHH:mm:ss.sssZ`; undefined for a time that does not exist. */
export function toTimestamp(text: string): string | undefined {
  const parts =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i.exec(
      text,
    )
  if (!parts || !isDate(parts[1] ?? '')) return undefined
  const [, day, minute = '00:00', second = '00', fraction = '', zone = 'Z'] = parts
  const offset = zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const time = Date.parse(
    `${day}T${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}${offset}`,
  )
  if (Number.isNaN(time)) return undefined
  const utc = new Date(time).toISOString()
  return utc.length === 24 ? utc : undefined
}
