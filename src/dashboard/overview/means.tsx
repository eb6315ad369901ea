import type { Child } from 'hono/jsx'

/** What a figure counts. */
export function Explanation({ children }: { children: Child }) {
  return (
    <p>
      <small>{children}</small>
    </p>
  )
}
