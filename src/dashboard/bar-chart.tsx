type Bar = { label: string; value: number }

const [rowHeight, labelWidth, barWidth, width] = [28, 210, 320, 640]

/** Horizontal bars with their numbers beside them, drawn here; screen readers get one sentence of it. */
export function BarChart({ id, title, bars }: { id: string; title: string; bars: Bar[] }) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const words = bars.map(({ label, value }) => `${label}: ${value.toLocaleString('en-GB')}`)
  return (
    <svg
      class="chart"
      role="img"
      aria-labelledby={`${id}-title ${id}-words`}
      viewBox={`0 0 ${width} ${bars.length * rowHeight}`}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-words`}>{words.join('; ')}.</desc>
      {bars.map(({ label, value }, row) => {
        const length = Math.round((value / most) * barWidth)
        const baseline = row * rowHeight + 18
        return (
          <g>
            <text x={labelWidth - 10} y={baseline} text-anchor="end">
              {label}
            </text>
            <rect x={labelWidth} y={row * rowHeight + 4} width={length} height={18} rx={3} />
            <text x={labelWidth + length + 8} y={baseline}>
              {value.toLocaleString('en-GB')}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
