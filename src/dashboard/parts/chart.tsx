/** A number with what it is of; with a link, what is behind it. */
export type Figure = { label: string; value: number; href?: string | undefined }

type ChartProps = { title: string; figures: readonly Figure[] }

const number = (value: number) => value.toLocaleString('en-GB')
const [height, above] = [150, 22]

/**
 * Columns in the order given, with their numbers above them and the first words of their labels below. It is drawn in
 * shares of its width and not scaled, so that its text is as large on a phone as elsewhere. Whoever
 * does not see it has the table below it.
 */
export function Columns({ title, figures }: ChartProps) {
  const most = Math.max(1, ...figures.map(({ value }) => value))
  const share = 100 / figures.length
  const middle = (place: number) => `${(place + 0.5) * share}%`
  return (
    <figure>
      <svg class="chart" width="100%" height={height + 24} aria-hidden="true">
        {figures.map(({ label, value }, place) => {
          const tall = Math.round((value / most) * (height - above))
          return (
            <g>
              <rect
                x={`${(place + 0.14) * share}%`}
                y={height - tall}
                width={`${0.72 * share}%`}
                height={tall}
                rx={3}
              />
              <text x={middle(place)} y={height - tall - 6} text-anchor="middle">
                {number(value)}
              </text>
              <text x={middle(place)} y={height + 18} text-anchor="middle">
                {label.split(' ')[0]}
              </text>
            </g>
          )
        })}
        <line x1="0" x2="100%" y1={height + 0.5} y2={height + 0.5} />
      </svg>
      <AsTable title={title} figures={figures} />
    </figure>
  )
}

type BarsProps = ChartProps & { unit?: (value: number) => string; whole?: number }

/** Bars below each other in the order given, each with its label and number as text; the longest is the whole, where that is told. */
export function Bars({ title, figures, unit = number, whole }: BarsProps) {
  const most = whole ?? Math.max(1, ...figures.map(({ value }) => value))
  return (
    <ol class="bars" aria-label={title}>
      {figures.map(({ label, value, href }) => (
        <li>
          <span>{href ? <a href={href}>{label}</a> : label}</span>
          <strong>{unit(value)}</strong>
          <svg class="chart" width="100%" height="10" aria-hidden="true">
            <rect class="soft" width="100%" height="10" rx={5} />
            <rect width={`${(100 * value) / most}%`} height="10" rx={5} />
          </svg>
        </li>
      ))}
    </ol>
  )
}

function AsTable({ title, figures }: ChartProps) {
  return (
    <details>
      <summary>As a table</summary>
      <table>
        <caption class="unseen">{title}</caption>
        <tbody>
          {figures.map(({ label, value }) => (
            <tr>
              <th scope="row">{label}</th>
              <td class="number">{number(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
