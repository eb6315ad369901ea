import { formatNumber } from '../../../platform/format-number.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { figureOf } from '../../../store/summary/measure-groups.ts'
import type { Summary } from '../../../store/summary/read-summary.ts'
import { formatMonth } from './scores.tsx'

const maxMonths = 6

/** The share of the height that the highest column takes: the rest is for its number. */
const maxHeight = 82

/** Renders the number of responses of each of the last months as columns. A single month needs no chart. */
export function MonthsChart({ months }: { months: Summary['groups'] }) {
  const counts = new Map(
    months.map(({ by: [month], figures }) => [String(month), figureOf(figures, 'count') ?? 0]),
  )
  if (counts.size < 2) return null
  const shown = listMonths([...counts.keys()].toSorted())
  const max = Math.max(...shown.map((month) => counts.get(month) ?? 0))
  return (
    <ol class="columns" aria-label="Responses by month">
      {shown.map((month) => {
        const count = counts.get(month) ?? 0
        const height = (maxHeight * count) / max
        return (
          <li>
            <svg role="img" aria-label={`${formatMonth(month)}: ${formatCount(count, 'response')}`}>
              <text x="50%" y={`${100 - height}%`} dy="-5" text-anchor="middle">
                {formatNumber(count)}
              </text>
              <rect class="fill" y={`${100 - height}%`} width="100%" height={`${height}%`} rx="2" />
            </svg>
            <span aria-hidden="true">{formatMonth(month).slice(0, 3)}</span>
          </li>
        )
      })}
    </ol>
  )
}

/** The last months up to the latest of some months in order, also those between them. */
function listMonths(months: readonly string[]): string[] {
  const [first = '', last = ''] = [months[0], months.at(-1)]
  const end = new Date(`${last}-01T00:00:00Z`)
  return Array.from({ length: maxMonths }, (_, index) => {
    const month = Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - maxMonths + 1 + index)
    return new Date(month).toISOString().slice(0, 7)
  }).filter((month) => month >= first)
}
