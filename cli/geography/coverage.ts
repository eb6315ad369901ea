import { areas } from '../../src/geography/areas.ts'

/** What a load found: rows kept and left out, live postcodes and how many of them have a ward and a district, and for each kind of area its codes and how many have no name. */
export type Coverage = {
  rows: number
  northernIrelandLeftOut: number
  live: number
  liveWithWard: number
  liveWithLad: number
  codes: Record<string, { codes: number; unnamed: number }>
}

/** A directory for Great Britain alone has about 2.6 million rows. */
export const leastRows = 2_400_000
const leastShare = 0.95
// Name files a year older than the codes still name nearly all; a file that is not there names none.
const mostUnnamed = 0.2

/** What is wrong with a load, in numbers; nothing, if it may serve. Postcodes of the crown dependencies, which have neither ward nor district, are not among the live. */
export function shortfalls(coverage: Coverage, least: number): string[] {
  const { rows, live, liveWithWard, liveWithLad, codes } = coverage
  const faults: string[] = []
  if (rows < least) faults.push(`${count(rows)} rows, at least ${count(least)} expected`)
  for (const [what, having] of [
    ['a ward', liveWithWard],
    ['a local authority district', liveWithLad],
  ] as const) {
    if (having < live * leastShare) {
      faults.push(
        `${count(having)} of ${count(live)} live postcodes have ${what}, at least ${leastShare * 100} % expected`,
      )
    }
  }
  for (const { key, label } of areas) {
    const { codes: all = 0, unnamed = 0 } = codes[key] ?? {}
    if (unnamed > all * mostUnnamed) {
      faults.push(
        `${count(unnamed)} of ${count(all)} codes have no name for: ${label}, at most ${mostUnnamed * 100} % expected`,
      )
    }
  }
  return faults
}

const count = (number: number) => number.toLocaleString('en-GB')
