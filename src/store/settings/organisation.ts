import { sql } from 'drizzle-orm/sql'
import { integer, text } from '../columns.ts'
import { organisationColumn } from '../fragments.ts'
import type { Store } from '../store.ts'
import { administration } from '../terms.ts'

/** The number of days for which previous versions are stored unless somebody sets another one. */
export const defaultVersionDays = 30

/** The name of the organisation, and for how many days its previous versions are stored. */
export async function readOrganisation(
  store: Store,
): Promise<{ name: string; versionDays: number }> {
  const { head } = await store.select({
    head: {
      name: text(organisationColumn(store, 'name')),
      versionDays: integer(organisationColumn(store, 'version_days')),
    },
  })
  return head
}

/** Sets for how many days the previous versions of an organisation's records are stored. */
export async function setVersionDays(store: Store, versionDays: number): Promise<void> {
  const audit = { action: 'versionDays.set', target: `${versionDays} days` } as const
  await store.write({ ...administration, audit }, [
    sql`UPDATE organisations SET version_days = ${versionDays} WHERE id = ${store.organisationId}`,
  ])
}
