import type { Context } from 'hono'
import { formatNumber } from '../../platform/format-number.ts'
import type { DashboardEnv } from '../session/signed-in.ts'

/** The number of items to skip, from the query of the page. */
export const readOffset = (c: Context<DashboardEnv>): number =>
  Math.max(0, Math.trunc(Number(c.req.query('$offset')))) || 0

type PagerProps = {
  /** The address of the first page, with its query. */
  path: string
  offset: number
  size: number
  total: number
}

/** Renders the position of a page in a list, with links to the pages before and after; nothing for a single page. */
export function Pager({ path, offset, size, total }: PagerProps) {
  if (total <= size) return null
  const href = (offset: number) =>
    offset > 0 ? `${path}${path.includes('?') ? '&' : '?'}$offset=${offset}` : path
  return (
    <nav class="pager" aria-label="Pages">
      <span>
        {formatNumber(Math.min(offset + 1, total))} to{' '}
        {formatNumber(Math.min(offset + size, total))} of {formatNumber(total)}
      </span>
      <span class="row">
        {offset > 0 && (
          <a class="button" href={href(offset - size)} rel="prev">
            Previous
          </a>
        )}
        {offset + size < total && (
          <a class="button" href={href(offset + size)} rel="next">
            Next
          </a>
        )}
      </span>
    </nav>
  )
}
