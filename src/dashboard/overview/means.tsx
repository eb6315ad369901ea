import type { Child } from 'hono/jsx'

/** What a figure counts. */
export function Means({ children }: { children: Child }) {
  return (
    <p>
      <small>{children}</small>
    </p>
  )
}
