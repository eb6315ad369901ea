import { type AgeRange, type Ages, rangesOfAges } from '../../model/summary/buckets.ts'
import { isDate } from '../../model/value-types.ts'
import type { SummaryPlan } from './summary-plan.ts'

/*
 * A summary that only counts needs no records: one of them represents all with the same value, or of the same band of
 * ages. So a report of a large organisation takes no longer than that of a small one.
 */

/** How a summary counts: by the ranges of birth days of the bands of ages, if it has these, otherwise by value. */
export type Tally = { ranges: readonly AgeRange[] | undefined }

/** How some plans count the same records by one field; undefined if one of them measures anything else. */
export function planTally(plans: readonly SummaryPlan[], ages: Ages): Tally | undefined {
  const countsOnly = plans.every(
    ({ measures, people }) =>
      people.length === 0 && measures.every(({ measure }) => measure === 'count'),
  )
  if (!countsOnly) return undefined
  const groups = plans.flatMap(({ by }) => by)
  const areBands =
    groups.length > 0 && groups.every(({ bucket, field }) => bucket === 'age' && isDate(field))
  return { ranges: areBands ? rangesOfAges(ages) : undefined }
}
