import type { Report, ReportRow } from './count-report.ts'
import type { ReportMeasure, Result } from './measures.ts'

type ReportChartProps = { report: Report; maxBars: number; measure: ReportMeasure; label: string }

/** Renders the bars of a report, one chart for each column of a second grouping. */
export function ReportChart({ report, maxBars, measure, label }: ReportChartProps) {
  const { splits } = report
  const rows = report.rows(maxBars)
  if (splits.length === 0)
    return <Bars rows={rows} measure={measure} label={label} max={maxOf(rows)} />
  const charts = splits.map(({ label }, index) => ({
    split: label,
    rows: rows.map(
      (row): ReportRow => ({ label: row.label, result: null, ...row.split[index], split: [] }),
    ),
  }))
  const max = Math.max(...charts.map((chart) => maxOf(chart.rows)))
  return (
    <div class="reports">
      {charts.map((chart) => (
        <section>
          <h3>{chart.split}</h3>
          <Bars rows={chart.rows} measure={measure} label={`${label}: ${chart.split}`} max={max} />
        </section>
      ))}
    </div>
  )
}

/** The number of a bar: none for a result that is hidden or missing. */
const lengthOf = (result: Result) => (typeof result === 'number' ? Math.max(0, result) : 0)

/** The number of a bar that fills the width. */
const maxOf = (rows: readonly ReportRow[]) =>
  Math.max(
    ...rows.flatMap(({ result, before }) => [lengthOf(result), lengthOf(before?.result ?? null)]),
  ) || 1

type BarsProps = {
  rows: readonly ReportRow[]
  measure: ReportMeasure
  label: string
  max: number
}

/** Renders horizontal bars with their numbers. A bar of `max` fills the width. */
function Bars({ rows, measure: { format }, label, max }: BarsProps) {
  const width = (result: Result) => `${((100 * lengthOf(result)) / max).toFixed(1)}%`
  return (
    <ol class="bars" aria-label={label}>
      {rows.map(({ label, result, before }) => (
        <li>
          <span>{label}</span>
          {before === undefined ? (
            <svg aria-hidden="true">
              <rect class="fill" y="5" width={width(result)} height="12" rx="2" />
            </svg>
          ) : (
            <svg role="img">
              <title>{`${format(result)} now, ${format(before.result)} a year before`}</title>
              <rect class="fill" width={width(result)} height="12" rx="2" />
              <rect class="fill soft" y="15" width={width(before.result)} height="6" rx="2" />
            </svg>
          )}
          <span class={result === 'hidden' ? 'number hidden-value' : 'number'}>
            {format(result)}
          </span>
        </li>
      ))}
    </ol>
  )
}
