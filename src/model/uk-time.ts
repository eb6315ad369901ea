import { TimeZone } from '../platform/time-zone.ts'
import { toTimestamp } from './properties/types.ts'

const london = new TimeZone('Europe/London')

/** A timestamp as a form has it, in the time of the United Kingdom: `YYYY-MM-DDTHH:mm`; '' for none. */
export function toLondon(timestamp: string): string {
  const at = Date.parse(timestamp)
  return Number.isNaN(at) ? '' : london.local(at).slice(0, 16)
}

/** The timestamp of a time in the United Kingdom; of one that comes twice as clocks go back, the first. Undefined when there is no such time. */
export function fromLondon(local: string): string | undefined {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(local) ?? []
  if (!date || toTimestamp(local) === undefined) return undefined
  const instant = london.instant(date, `${time}:00.000`)
  if ('utc' in instant) return instant.utc
  return instant.unclear === 'twice' ? instant.first : undefined
}
