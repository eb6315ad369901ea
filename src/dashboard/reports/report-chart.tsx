import type { Report, ReportRow } from './count-report.ts'
import type { ReportMeasure, Result } from './measures.ts'

type ReportChartProps = { report: Report; maxBars: number; measure: ReportMeasure; label: string }

/** The bars of a report: one chart, or one for each column of a second grouping unless the bars compare years. */
export function listCharts({ rows, splits, totalBefore }: Report, maxBars: number) {
  const all = rows(maxBars)
  const charts =
    splits.length === 0 || totalBefore
      ? [{ split: undefined, rows: all }]
      : splits.map(({ label }, index) => ({
          split: label,
          rows: all.map(
            (row): ReportRow => ({
              label: row.label,
              result: null,
              ...row.split[index],
              split: [],
            }),
          ),
        }))
  return { charts, max: Math.max(...charts.map((chart) => maxOf(chart.rows))) }
}

/** Renders the bars of a report. */
export function ReportChart({ report, maxBars, measure, label }: ReportChartProps) {
  const { charts, max } = listCharts(report, maxBars)
  const [only] = charts
  if (only?.split === undefined)
    return <Bars rows={only?.rows ?? []} measure={measure} label={label} max={max} />
  return (
    <div class="reports">
      {charts.map(({ split, rows }) => (
        <section>
          <h3>{split}</h3>
          <Bars rows={rows} measure={measure} label={`${label}: ${split}`} max={max} />
        </section>
      ))}
    </div>
  )
}

/** The number of a bar: none for a result that is hidden or missing. */
export const lengthOf = (result: Result) => (typeof result === 'number' ? Math.max(0, result) : 0)

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
