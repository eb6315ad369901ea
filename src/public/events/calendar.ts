import { fromLondon, toLondon } from '../../model/timestamp.ts'

/** An entry of a calendar file. */
export type CalendarEntry = {
  /** Identifies the entry in every version of the file. */
  uid: string
  /** Rises with every change of the entry. */
  sequence: number
  summary: string
  start: string
  end: string
  location: string
  description: string
  url: string
  isCancelled?: boolean
}

/** UK time by the rules since 1996. */
const londonZone = [
  'BEGIN:VTIMEZONE',
  'TZID:Europe/London',
  'BEGIN:DAYLIGHT',
  'DTSTART:19970330T010000',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'TZNAME:BST',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0100',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'DTSTART:19961027T020000',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'TZNAME:GMT',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
]

/** A calendar file (RFC 5545). `now` is the time of the request, as a timestamp. */
export function buildCalendar(
  name: string,
  entries: readonly CalendarEntry[],
  now: string,
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Organisation Data Platform//Events//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(name)}`,
    'X-WR-TIMEZONE:Europe/London',
    ...londonZone,
    ...entries.flatMap((entry) => buildEntry(entry, now)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

function buildEntry(entry: CalendarEntry, now: string): string[] {
  const { uid, sequence, summary, start, end, location, description, url, isCancelled } = entry
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(uid)}`,
    `DTSTAMP:${formatUtc(now)}`,
    `SEQUENCE:${sequence}`,
    `DTSTART${formatLocal(start)}`,
    `DTEND${formatLocal(end)}`,
    `SUMMARY:${escapeText(summary)}`,
    ...(location ? [`LOCATION:${escapeText(location)}`] : []),
    ...(description ? [`DESCRIPTION:${escapeText(description)}`] : []),
    `URL:${url}`,
    `STATUS:${isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
  ]
}

/** The rest of a date property in UK time; in UTC if the clock shows the time twice and this is the second. */
function formatLocal(timestamp: string): string {
  const local = toLondon(timestamp)
  const minute = `${timestamp.slice(0, 16)}:00.000Z`
  if (fromLondon(local) !== minute) return `:${formatUtc(timestamp)}`
  return `;TZID=Europe/London:${local.replaceAll(/[-:]/g, '')}${timestamp.slice(17, 19)}`
}

/** A timestamp as `20261219T140000Z`. */
const formatUtc = (timestamp: string) => `${timestamp.slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** Escapes a text (RFC 5545, 3.3.11) and removes control characters. */
const escapeText = (text: string) =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll(/\p{Cc}/gu, '')

const maxLineBytes = 75

/** Folds a line after at most 75 bytes, never within a character (RFC 5545, 3.1). */
function fold(line: string): string {
  const parts: string[] = ['']
  let bytes = 0
  for (const character of line) {
    const size = encoder.encode(character).length
    if (bytes + size > maxLineBytes) {
      parts.push('')
      // The space that begins a continued line counts.
      bytes = 1
    }
    parts[parts.length - 1] += character
    bytes += size
  }
  return parts.join('\r\n ')
}

const encoder = new TextEncoder()
