import type { Context } from 'hono'
import { contentDisposition } from '../../formats/download.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import type { ReportRow } from './count-report.ts'
import { defineReport } from './definition.ts'
import { loadDownloaded } from './download.ts'
import { describeReport } from './load-report.ts'
import type { ReportMeasure } from './measures.ts'
import { lengthOf, listCharts } from './report-chart.tsx'
import type { CountedReport } from './report-definition.tsx'
import { maxBars } from './report-page.tsx'

/** The image in pixels: its width, where bars start, the longest of them, and the height of a line. */
const [width, start, longest, lineHeight] = [900, 300, 500, 28]

/** The maximum number of characters of a label before the bars. */
const maxLabel = 40

/** The colours of the bars on paper: of this period, and of the year before. */
const [now, before] = ['#17756a', '#769b95']

/** Downloads the chart of a report as an image. Throws 400 like the download of its table. */
export async function downloadChart(c: Context<DashboardEnv>): Promise<Response> {
  const report = await loadDownloaded(c, 'Image')
  const name = `report-${report.query.countable.name}`
  return c.body(String(<ChartImage report={report} />), 200, {
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Content-Disposition': contentDisposition(c, name, 'svg'),
  })
}

/** The bars of a report with their numbers, under the sentences that say what they count. */
function ChartImage({ report: { query, result, filterWords } }: { report: CountedReport }) {
  const { charts, max } = listCharts(result, maxBars)
  const title = describeReport(query)
  const heading = { 'font-weight': '600' }
  const lines = [
    <text {...heading}>{title}</text>,
    ...defineReport(query, result, filterWords).map((sentence) => <text>{sentence}</text>),
    ...charts.flatMap(({ split, rows }) => [
      <text {...heading}>{split}</text>,
      ...rows.map((row) => <Bar row={row} max={max} measure={query.measure} />),
    ]),
  ]
  const height = (lines.length + 1) * lineHeight
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      font-family="sans-serif"
      font-size="14"
    >
      <title>{title}</title>
      <rect width={width} height={height} fill="#fff" />
      {lines.map((line, index) => (
        <g transform={`translate(16 ${(index + 1) * lineHeight})`}>{line}</g>
      ))}
    </svg>
  )
}

type BarProps = { row: ReportRow; max: number; measure: ReportMeasure }

function Bar({ row: { label, result, before: earlier }, max, measure }: BarProps) {
  const length = lengthOf(result)
  return (
    <>
      <text>{label.length > maxLabel ? `${label.slice(0, maxLabel)}…` : label}</text>
      <rect x={start} y="-12" width={(longest * length) / max} height="12" fill={now} />
      {earlier && (
        <rect
          x={start}
          y="2"
          width={(longest * lengthOf(earlier.result)) / max}
          height="5"
          fill={before}
        />
      )}
      <text x={start + longest + 70} text-anchor="end">
        {measure.format(result)}
      </text>
    </>
  )
}
