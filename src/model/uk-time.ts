import { TimeZone } from '../platform/time-zone.ts'
import { toTimestamp } from './properties/types.ts'

const london = new TimeZone('Europe/London')

/** Returns a timestamp in UK time for a form: `YYYY-MM-DDTHH:mm`, or '' for none. */
export function toLondon(timestamp: string): string {
  const at = Date.parse(timestamp)
  return Number.isNaN(at) ? '' : london.local(at).slice(0, 16)
}

/** Returns the timestamp of a UK time, the first if clocks go back over it; undefined for a time that does not exist. */
export function fromLondon(local: string): string | undefined {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(local) ?? []
  if (!date || toTimestamp(local) === undefined) return undefined
  const instant = london.instant(date, `${time}:00.000`)
  if ('utc' in instant) return instant.utc
  return instant.unclear === 'twice' ? instant.first : undefined
}
