import { areas } from '../../src/geography/areas.ts'

/** The counts of a load: rows loaded and left out, live postcodes with a ward and a district, and codes without a name by kind of area. */
export type Coverage = {
  rows: number
  northernIrelandLeftOut: number
  live: number
  liveWithWard: number
  liveWithLad: number
  codes: Record<string, { codes: number; unnamed: number }>
}

/** The minimum number of rows. A directory for Great Britain alone has about 2.6 million. */
export const minRows = 2_400_000
const minShare = 0.95
// Name files that are a year older than the codes still name nearly all of them. A missing file
// names none.
const maxUnnamedShare = 0.2

/** The shortfalls of a load, or none if it is usable. Does not count postcodes of the crown dependencies as live, because they have no ward or district. */
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
