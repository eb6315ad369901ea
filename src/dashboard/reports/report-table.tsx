import { formatFilters } from '../filters/filters.ts'
import type { Report } from './count-report.ts'
import type { Measure } from './measures.ts'
import type { ReportQuery } from './report-query.ts'
import type { ReportRow } from './sort-groups.ts'

type Props = {
  report: Report
  query: ReportQuery
  caption: string
  /** Whether a record counts in one group only, so that shares add up. */
  isExclusive: boolean
  /** The path of the list that shows a group's records. */
  listPath: string
}

/** Renders the numbers of a report with links to the records of each group. */
export function ReportTable(props: Props) {
  const { report, query, caption, isExclusive, listPath } = props
  const { countable, measure, by } = query
  const { rows, total, totalBefore, splits } = report
  return (
    <section class="scroll" tabindex={0} aria-label={caption}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{by.label}</th>
            {[measure.label(countable), ...splits.map(({ label }) => label)].map((heading) => (
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
              <Numbers row={row} total={total} measure={measure} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td class="number">{measure.format(total)}</td>
            {splits.map((split) => (
              <td class="number">{measure.format(split.total)}</td>
            ))}
            <td class="number wide-only">{isExclusive && formatShare(total, total)}</td>
            {totalBefore !== undefined && (
              <Comparison count={total} before={totalBefore} measure={measure} />
            )}
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

type NumbersProps = { row: ReportRow; total: number; measure: Measure }

const Numbers = ({ row, total, measure }: NumbersProps) => (
  <>
    {[row.count, ...row.split].map((count) => (
      <td class="number">{measure.format(count)}</td>
    ))}
    <td class="number wide-only">{formatShare(row.count, total)}</td>
    {row.before !== undefined && (
      <Comparison count={row.count} before={row.before} measure={measure} />
    )}
  </>
)

type ComparisonProps = { count: number; before: number; measure: Measure }

const Comparison = ({ count, before, measure }: ComparisonProps) => (
  <>
    <td class="number">{measure.format(before)}</td>
    <td class="number">{formatDifference(count - before, measure)}</td>
  </>
)

/** A share such as "21%"; '' without a total. */
const formatShare = (count: number, total: number) =>
  total === 0 ? '' : `${Math.round((100 * count) / total)}%`

/** A change with its sign, such as "+37" or "−7". */
function formatDifference(change: number, { format }: Measure): string {
  if (change === 0) return '0'
  const sign = change > 0 ? '+' : '−'
  return sign + format(Math.abs(change))
}
