import type { Report, ReportRow } from './count-report.ts'
import type { Measure, Measured } from './measure.ts'

type ReportChartProps = { report: Report; maxBars: number; measure: Measure; label: string }

/** Renders the bars of a report, one chart for each column of a second grouping. */
export function ReportChart({ report, maxBars, measure, label }: ReportChartProps) {
  const { splits } = report
  const rows = report.rows(maxBars)
  if (splits.length === 0)
    return <Bars rows={rows} measure={measure} label={label} max={maxOf(rows)} />
  const charts = splits.map(({ label }, index) => ({
    split: label,
    rows: rows.map(
      (row): ReportRow => ({ label: row.label, result: row.split[index] ?? null, split: [] }),
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

const maxOf = (rows: readonly ReportRow[]) =>
  Math.max(1, ...rows.flatMap(({ result, before }) => [result ?? 0, before ?? 0]))

type BarsProps = {
  rows: readonly ReportRow[]
  measure: Measure
  label: string
  max: number
}

/** Renders horizontal bars with their numbers. A bar of `max` fills the width. */
function Bars({ rows, measure: { format }, label, max }: BarsProps) {
  const width = (result: Measured) => `${((100 * (result ?? 0)) / max).toFixed(1)}%`
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
              <title>{`${format(result)} now, ${format(before)} a year before`}</title>
              <rect class="fill" width={width(result)} height="12" rx="2" />
              <rect class="fill soft" y="15" width={width(before)} height="6" rx="2" />
            </svg>
          )}
          <span class="number">{format(result)}</span>
        </li>
      ))}
    </ol>
  )
}
