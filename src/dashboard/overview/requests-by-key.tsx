import type { Context } from 'hono'
import type { Usage } from '../../admin/usage.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { BarChart } from '../ui/chart.tsx'
import { keysPath } from '../ui/page.tsx'
import { Explanation } from './means.tsx'

type Props = { c: Context<DashboardEnv>; usage: readonly Usage[] }

/** A chart of the requests that each key made in the last 30 days. */
export function RequestsByKey({ c, usage }: Props) {
  const href = keysPath(c)
  const byKey = Map.groupBy(usage, ({ keyId }) => keyId)
  const figures = [...byKey.values()].map((keyUsage) => ({
    label: keyUsage[0]?.key ?? 'A deleted key',
    value: keyUsage.reduce((sum, { requests }) => sum + requests, 0),
    href,
  }))
  return (
    <section class="card">
      <h2>Requests by key</h2>
      <BarChart title="Requests by key" figures={figures} />
      <Explanation>
        Requests in the last 30 days. Settings, API keys lists them by collection.
      </Explanation>
    </section>
  )
}
