import type { ImportResult } from '../../../import/report/import-result.ts'
import { formatNumber } from '../../../platform/format-number.ts'

type CountsProps = { result: ImportResult; isDone?: boolean }

/** Renders the counts of an import result with a bar. */
export function ResultCounts({ result, isDone = false }: CountsProps) {
  const counts = [
    { count: result.created, label: 'new', class: '' },
    { count: result.updated, label: isDone ? 'changed' : 'will change', class: 'soft' },
    { count: result.unchanged, label: isDone ? 'stayed the same' : 'stay the same', class: 'none' },
    { count: result.rejected, label: isDone ? 'not imported' : 'need an answer', class: 'warn' },
  ]
  const total = counts.reduce((sum, { count }) => sum + count, 0) || 1
  const widths = counts.map(({ count }) => (count / total) * 100)
  const startOf = (index: number) => widths.slice(0, index).reduce((sum, width) => sum + width, 0)
  return (
    <section aria-label="Preview">
      <p class="counts">
        {counts.map(({ count, label, class: name }) => (
          <span class={`dot ${name}`}>
            <strong>{formatNumber(count)}</strong> {label}
          </span>
        ))}
      </p>
      <svg
        class="meter"
        role="img"
        aria-label={counts.map(({ count, label }) => `${formatNumber(count)} ${label}`).join(', ')}
      >
        {counts.map(
          ({ count, class: name }, index) =>
            count > 0 &&
            name !== 'none' && (
              <rect
                class={`fill ${name}`}
                x={`${startOf(index).toFixed(2)}%`}
                width={`${widths[index]?.toFixed(2)}%`}
                height="100%"
              />
            ),
        )}
      </svg>
    </section>
  )
}
