import type { Child } from 'hono/jsx'

/** Renders a label and a value, an item of a `dl` with the class `facts`. */
export const Fact = ({ label, children }: { label: string; children: Child }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
