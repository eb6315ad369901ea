import type { Child } from 'hono/jsx'
import { formatNumber } from '../../platform/format-number.ts'

/** A number with its label, and a link to its records. */
type Figure = { label: string; value: number; href?: string | undefined }

type ChartProps = { title: string; figures: readonly Figure[] }

const [chartHeight, labelHeight] = [150, 22]

/**
 * Renders a column chart with a table for screen readers. Percentage widths keep the text size on a
 * phone, unlike a scaled viewBox.
 */
export function ColumnChart({ title, figures }: ChartProps) {
  const maxValue = Math.max(1, ...figures.map(({ value }) => value))
  const columnWidth = 100 / figures.length
  const columnCentre = (index: number) => `${(index + 0.5) * columnWidth}%`
  return (
    <figure>
      <svg class="chart" width="100%" height={chartHeight + 24} aria-hidden="true">
        {figures.map(({ label, value }, index) => {
          const columnHeight = Math.round((value / maxValue) * (chartHeight - labelHeight))
          return (
            <g>
              <rect
                x={`${(index + 0.14) * columnWidth}%`}
                y={chartHeight - columnHeight}
                width={`${0.72 * columnWidth}%`}
                height={columnHeight}
                rx={3}
              />
              <text x={columnCentre(index)} y={chartHeight - columnHeight - 6} text-anchor="middle">
                {formatNumber(value)}
              </text>
              <text x={columnCentre(index)} y={chartHeight + 18} text-anchor="middle">
                {label.split(' ')[0]}
              </text>
            </g>
          )
        })}
        <line x1="0" x2="100%" y1={chartHeight + 0.5} y2={chartHeight + 0.5} />
      </svg>
      <FigureTable title={title} figures={figures} />
    </figure>
  )
}

type BarChartProps = ChartProps & { formatValue?: (value: number) => string; maxValue?: number }

/** Renders a bar chart with labels and numbers as text. A bar of `maxValue`, by default the largest value, fills the width. */
export function BarChart({ title, figures, formatValue = formatNumber, maxValue }: BarChartProps) {
  const scale = maxValue ?? Math.max(1, ...figures.map(({ value }) => value))
  return (
    <ol class="bar-chart" aria-label={title}>
      {figures.map(({ label, value, href }) => (
        <li>
          <span>{href ? <a href={href}>{label}</a> : label}</span>
          <strong>{formatValue(value)}</strong>
          <svg class="chart" width="100%" height="10" aria-hidden="true">
            <rect class="track" width="100%" height="10" rx={5} />
            <rect width={`${(100 * value) / scale}%`} height="10" rx={5} />
          </svg>
        </li>
      ))}
    </ol>
  )
}

function FigureTable({ title, figures }: ChartProps) {
  return (
    <details>
      <summary>As a table</summary>
      <table>
        <caption class="visually-hidden">{title}</caption>
        <tbody>
          {figures.map(({ label, value }) => (
            <tr>
              <th scope="row">{label}</th>
              <td class="number">{formatNumber(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

/** Renders an explanation of a figure in small print. */
export function Explanation({ children }: { children: Child }) {
  return (
    <p>
      <small>{children}</small>
    </p>
  )
}
