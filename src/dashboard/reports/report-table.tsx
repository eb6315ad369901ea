import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { formatFilters } from '../filters/filters.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { collectionPath } from '../ui/paths.ts'
import type { Report, ReportCell } from './count-report.ts'
import { explainReport, isMultiple } from './definition.ts'
import { describeReport } from './load-report.ts'
import { difference, type ReportMeasure, type Result } from './measures.ts'
import type { CountedReport } from './report-definition.tsx'
import type { ReportQuery } from './report-query.ts'

/** The maximum number of rows in a table. */
export const maxRows = 200

type ExplainedProps = { c: Context<DashboardEnv>; report: CountedReport; children?: Child }

type Props = {
  query: ReportQuery
  result: Report
  /** The path of the list that shows a group's records. */
  listPath: string
}

/** Renders a report as a table, and below it how to read the numbers. `children` follows the last sentence. */
export const ExplainedTable = ({ c, report: { query, result }, children }: ExplainedProps) => (
  <>
    <ReportTable
      query={query}
      result={result}
      listPath={collectionPath(c, query.countable.collection)}
    />
    <p class="quiet after">
      {explainReport(query, result).join(' ')} {children}
    </p>
  </>
)

/** Renders the numbers of a report, each with a link to its records. */
export function ReportTable({ query, result, listPath }: Props) {
  const { measure, by } = query
  const { total, totalBefore, splits } = result
  const caption = describeReport(query)
  const cells = { measure, listPath }
  return (
    <section class="scroll" tabindex={0} aria-label={caption}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{by.label}</th>
            {[...splits.map(({ label }) => label), measure.label].map((heading) => (
              <th scope="col" class="number">
                <span class="heading">{heading}</span>
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
          {result.rows(maxRows).map((row) => (
            <tr>
              <th scope="row">
                {row.filters ? (
                  <a href={`${listPath}?${formatFilters(row.filters)}`}>{row.label}</a>
                ) : (
                  row.label
                )}
              </th>
              {[...row.split, row].map((cell) => (
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
            {[...splits, { result: total, filters: result.totalFilters }].map((cell) => (
              <NumberCell {...cells} cell={cell} />
            ))}
            {measure.hasShares && (
              <td class="number wide-only">{!isMultiple(query) && formatShare(total, total)}</td>
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
