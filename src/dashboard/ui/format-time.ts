import { formatDay } from '../../model/format-day.ts'
import { toLondon } from '../../model/timestamp.ts'

/** A time in UK time, such as "14 Mar 2026, 09:30"; another text unchanged. */
export function formatTime(time: string): string {
  const local = toLondon(time)
  return local === '' ? time : `${formatDay(local)}, ${local.slice(11)}`
}
