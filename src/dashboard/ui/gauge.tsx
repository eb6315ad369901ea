import type { Child } from 'hono/jsx'

type GaugeProps = {
  /** The part of the bar that is filled, from 0 to 1. */
  share: number
  /** The words beside the bar. */
  children: Child
}

/** Renders a number with a bar, for a cell of a table. */
export const Gauge = ({ share, children }: GaugeProps) => (
  <span class="gauge">
    <svg class="meter" aria-hidden="true">
      <rect class="fill" width={`${100 * Math.min(1, Math.max(0, share))}%`} height="100%" />
    </svg>
    <span>{children}</span>
  </span>
)
