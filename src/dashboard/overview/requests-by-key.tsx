import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import type { Usage } from '../../auth/usage.ts'
import { pathOfKeys } from '../page.tsx'
import { Bars } from '../parts/chart.tsx'
import { Means } from './means.tsx'

type Props = { c: Context<DashboardEnv>; usage: readonly Usage[] }

/** How many requests each key made in the last 30 days. */
export function RequestsByKey({ c, usage }: Props) {
  const href = pathOfKeys(c)
  const byKey = Map.groupBy(usage, ({ keyId }) => keyId)
  const figures = [...byKey.values()].map((uses) => ({
    label: uses[0]?.key ?? 'A deleted key',
    value: uses.reduce((sum, { requests }) => sum + requests, 0),
    href,
  }))
  return (
    <section class="card">
      <h2>Requests by key</h2>
      <Bars title="Requests by key" figures={figures} />
      <Means>Requests in the last 30 days; what each key asked for is told with the keys.</Means>
    </section>
  )
}
