import type { Sum } from '../../resources/summary/find-computable.ts'
import { findHidden } from '../../resources/summary/hide-small.ts'
import type { Figures } from '../../store/summary/measure-groups.ts'
import type { ReportGroups } from './report-groups.ts'

/**
 * Returns a test of the figures that a report hides: small ones, and others from which they could be computed. The
 * table adds up in each of its columns, in each row and that of the totals if it has a second grouping, and in the
 * column of the year before.
 * Without `hideBelow`, nothing is hidden.
 */
export function hideSmallResults(
  groups: ReportGroups,
  groupsBefore: ReportGroups | undefined,
  columns: readonly string[],
  hideBelow: number | undefined,
): (figures: Figures) => boolean {
  if (hideBelow === undefined) return () => false
  const rows = [...groups.rows.values()]
  const shown = new Set(columns)
  const unshown = [...rows.map(({ cells }) => cells), groups.columns].flatMap((cells) =>
    [...cells].flatMap(([column, figures]) => (shown.has(column) ? [] : figures)),
  )
  const ofRows = rows.map(({ total, cells }) => ({ parts: [...cells.values()], total }))
  const ofColumns = columns.map((column) => ({
    parts: rows.flatMap(({ cells }) => cells.get(column) ?? []),
    total: groups.columns.get(column) ?? groups.empty,
  }))
  const ofTotals = { parts: [...groups.columns.values()], total: groups.total }
  const sums = columns.length > 0 ? [...ofRows, ...ofColumns, ofTotals] : []
  const hidden = findHidden([sumTotals(groups), ...sums], hideBelow, new Set(unshown))
  const hiddenBefore = groupsBefore && findHidden([sumTotals(groupsBefore)], hideBelow)
  return (figures) => hidden.has(figures) || (hiddenBefore?.has(figures) ?? false)
}

const sumTotals = ({ rows, total }: ReportGroups): Sum => ({
  parts: [...rows.values()].map((row) => row.total),
  total,
})
