import { formatFilters } from '../filters/filters.ts'
import type { Report, ReportCell } from './count-report.ts'
import { difference, type ReportMeasure, type Result } from './measures.ts'
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

/** Renders the numbers of a report, each with a link to its records. */
export function ReportTable(props: Props) {
  const { report, maxRows, query, caption, isExclusive, listPath } = props
  const { measure, by } = query
  const { total, totalBefore, splits } = report
  const cells = { measure, listPath }
  return (
    <section class="scroll" tabindex={0} aria-label={caption}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{by.label}</th>
            {[measure.label, ...splits.map(({ label }) => label)].map((heading) => (
              <th scope="col" class="number">
                {heading}
              </th>
            ))}
            {measure.hasShares && (
              <th scope="col" class="number wide-only">
                Share
              </th>
            )}
            {totalBefore && <ComparisonHeadings />}
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
              {[row, ...row.split].map((cell) => (
                <NumberCell {...cells} cell={cell} />
              ))}
              {measure.hasShares && (
                <td class="number wide-only">{formatShare(row.result, total)}</td>
              )}
              {row.before && <Comparison {...cells} result={row.result} before={row.before} />}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            {[{ result: total, filters: report.totalFilters }, ...splits].map((cell) => (
              <NumberCell {...cells} cell={cell} />
            ))}
            {measure.hasShares && (
              <td class="number wide-only">{isExclusive && formatShare(total, total)}</td>
            )}
            {totalBefore && <Comparison {...cells} result={total} before={totalBefore} />}
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

type CellProps = { measure: ReportMeasure; listPath: string }

/** Renders a result with a link to its records, if there are any and a list can show them. */
function NumberCell({
  measure,
  listPath,
  cell: { result, filters },
}: CellProps & { cell: ReportCell }) {
  const text = measure.format(result)
  if (result === 'hidden') return <td class="number hidden-value">{text}</td>
  return (
    <td class="number">
      {result && filters ? <a href={`${listPath}?${formatFilters(filters)}`}>{text}</a> : text}
    </td>
  )
}

type ComparisonProps = CellProps & { result: Result; before: ReportCell }

const Comparison = ({ result, before, ...cells }: ComparisonProps) => (
  <>
    <NumberCell {...cells} cell={before} />
    <td class="number">{formatChange(difference(result, before.result), cells.measure)}</td>
  </>
)

/** A share such as "21%"; '' without a total. */
const formatShare = (result: Result, total: Result) =>
  typeof result === 'number' && typeof total === 'number' && total !== 0
    ? `${Math.round((100 * result) / total)}%`
    : ''

/** A change with its sign, such as "+37" or "−7". */
function formatChange(change: number | null, { formatDifference }: ReportMeasure): string {
  if (change === null) return ''
  if (change === 0) return '0'
  const sign = change > 0 ? '+' : '−'
  return sign + formatDifference(Math.abs(change))
}
