import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'

/** The foot of a page: how many rows the database read for it. */
export function RowsRead({ c }: { c: Context<DashboardEnv> }) {
  return (
    <footer>{c.var.store.cost.rowsRead.toLocaleString('en-GB')} rows read for this page</footer>
  )
}
