import { areas } from '../../src/geography/areas.ts'

/** Counts of a load: rows kept and left out, live postcodes with a ward and a district, and codes without a name for each kind of area. */
export type Coverage = {
  rows: number
  northernIrelandLeftOut: number
  live: number
  liveWithWard: number
  liveWithLad: number
  codes: Record<string, { codes: number; unnamed: number }>
}

/** A directory for Great Britain alone has about 2.6 million rows. */
export const minRows = 2_400_000
const minShare = 0.95
// Name files a year older than the codes still name nearly all; a missing file names none.
const maxUnnamedShare = 0.2

/** Returns the shortfalls of a load; empty if it may be used. Postcodes of the crown dependencies do not count as live, because they have no ward or district. */
export function findShortfalls(coverage: Coverage, minimum: number): string[] {
  const { rows, live, liveWithWard, liveWithLad, codes } = coverage
  const errors: string[] = []
  if (rows < minimum)
    errors.push(`${formatCount(rows)} rows, at least ${formatCount(minimum)} expected`)
  for (const [label, matching] of [
    ['a ward', liveWithWard],
    ['a local authority district', liveWithLad],
  ] as const) {
    if (matching < live * minShare) {
      errors.push(
        `${formatCount(matching)} of ${formatCount(live)} live postcodes have ${label}, at least ${minShare * 100} % expected`,
      )
    }
  }
  for (const { key, label } of areas) {
    const { codes: total = 0, unnamed = 0 } = codes[key] ?? {}
    if (unnamed > total * maxUnnamedShare) {
      errors.push(
        `${formatCount(unnamed)} of ${formatCount(total)} codes have no name for: ${label}, at most ${maxUnnamedShare * 100} % expected`,
      )
    }
  }
  return errors
}

const formatCount = (number: number) => number.toLocaleString('en-GB')
