import { formatFilters } from '../filters/filters.ts'
import type { Report, ReportRow } from './count-report.ts'
import { difference, type Measure, type Measured } from './measure.ts'
import type { ReportQuery } from './report-query.ts'

type Props = {
  report: Report
  maxRows: number
  query: ReportQuery
  caption: string
  /** Whether a record counts in one group only, so that shares add up. */
  isExclusive: boolean
  /** The path of the list that shows a group's records. */
  listPath: string
}

/** Renders the numbers of a report with links to the records of each group. */
export function ReportTable(props: Props) {
  const { report, maxRows, query, caption, isExclusive, listPath } = props
  const { countable, measure, by } = query
  const { total, totalBefore, splits } = report
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
            {measure.addsUp && (
              <th scope="col" class="number wide-only">
                Share
              </th>
            )}
            {totalBefore !== undefined && <ComparisonHeadings />}
          </tr>
        </thead>
        <tbody>
          {report.rows(maxRows).map((row) => (
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
            {measure.addsUp && (
              <td class="number wide-only">{isExclusive && formatShare(total, total)}</td>
            )}
            {totalBefore !== undefined && (
              <Comparison result={total} before={totalBefore} measure={measure} />
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

type NumbersProps = { row: ReportRow; total: Measured; measure: Measure }

const Numbers = ({ row, total, measure }: NumbersProps) => (
  <>
    {[row.result, ...row.split].map((result) => (
      <td class="number">{measure.format(result)}</td>
    ))}
    {measure.addsUp && <td class="number wide-only">{formatShare(row.result, total)}</td>}
    {row.before !== undefined && (
      <Comparison result={row.result} before={row.before} measure={measure} />
    )}
  </>
)

type ComparisonProps = { result: Measured; before: Measured; measure: Measure }

const Comparison = ({ result, before, measure }: ComparisonProps) => (
  <>
    <td class="number">{measure.format(before)}</td>
    <td class="number">{formatDifference(difference(result, before), measure)}</td>
  </>
)

/** A share such as "21%"; '' without a total. */
const formatShare = (result: Measured, total: Measured) =>
  result === null || !total ? '' : `${Math.round((100 * result) / total)}%`

/** A change with its sign, such as "+37" or "−7". */
function formatDifference(change: Measured, { format }: Measure): string {
  if (change === null) return ''
  if (change === 0) return '0'
  const sign = change > 0 ? '+' : '−'
  return sign + format(Math.abs(change))
}
