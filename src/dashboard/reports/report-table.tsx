import { formatNumber } from '../../platform/format-number.ts'
import { formatFilters } from '../filters/filters.ts'
import type { Report } from './count-report.ts'
import type { ReportRow } from './sort-groups.ts'

type Props = {
  report: Report
  /** The heading of the groups, that of the numbers, and the table's caption. */
  groupHeading: string
  countHeading: string
  caption: string
  /** Whether a record counts in one group only, so that shares add up. */
  isExclusive: boolean
  /** The path of the list that shows a group's records. */
  listPath: string
}

/** Renders the numbers of a report with links to the records of each group. */
export function ReportTable(props: Props) {
  const { report, groupHeading, countHeading, caption, isExclusive, listPath } = props
  const { rows, total, totalBefore, splits } = report
  return (
    <section class="scroll" tabindex={0} aria-label={caption}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{groupHeading}</th>
            {[countHeading, ...splits.map(({ label }) => label)].map((heading) => (
              <th scope="col" class="number">
                {heading}
              </th>
            ))}
            <th scope="col" class="number wide-only">
              Share
            </th>
            {totalBefore !== undefined && <ComparisonHeadings />}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              <th scope="row">
                {row.filters ? (
                  <a href={`${listPath}?${formatFilters(row.filters)}`}>{row.label}</a>
                ) : (
                  row.label
                )}
              </th>
              <Numbers row={row} total={total} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td class="number">{formatNumber(total)}</td>
            {splits.map((split) => (
              <td class="number">{formatNumber(split.total)}</td>
            ))}
            <td class="number wide-only">{isExclusive && formatShare(total, total)}</td>
            {totalBefore !== undefined && <Comparison count={total} before={totalBefore} />}
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

const ComparisonHeadings = () => (
  <>
    <th scope="col" class="number">
      Year before
    </th>
    <th scope="col" class="number">
      Change
    </th>
  </>
)

const Numbers = ({ row, total }: { row: ReportRow; total: number }) => (
  <>
    {[row.count, ...row.split].map((count) => (
      <td class="number">{formatNumber(count)}</td>
    ))}
    <td class="number wide-only">{formatShare(row.count, total)}</td>
    {row.before !== undefined && <Comparison count={row.count} before={row.before} />}
  </>
)

const Comparison = ({ count, before }: { count: number; before: number }) => (
  <>
    <td class="number">{formatNumber(before)}</td>
    <td class="number">{formatDifference(count - before)}</td>
  </>
)

/** A share such as "21%"; '' without a total. */
export const formatShare = (count: number, total: number) =>
  total === 0 ? '' : `${Math.round((100 * count) / total)}%`

/** A change with its sign, such as "+37" or "−7". */
export function formatDifference(change: number): string {
  if (change === 0) return '0'
  const sign = change > 0 ? '+' : '−'
  return sign + formatNumber(Math.abs(change))
}
