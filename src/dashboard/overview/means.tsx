import type { Child } from 'hono/jsx'

/** Explains a figure in small print. */
export function Explanation({ children }: { children: Child }) {
  return (
    <p>
      <small>{children}</small>
    </p>
  )
}
