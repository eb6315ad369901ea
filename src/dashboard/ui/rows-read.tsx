import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'

/** A footer with the number of database rows read for the page. */
export function RowsRead({ c }: { c: Context<DashboardEnv> }) {
  return (
    <footer>{c.var.store.cost.rowsRead.toLocaleString('en-GB')} rows read for this page</footer>
  )
}
