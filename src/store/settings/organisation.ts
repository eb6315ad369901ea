import { sql } from 'drizzle-orm/sql'
import { integer, json, text } from '../columns.ts'
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

/** The tasks outside the service that an administrator has marked as done. */
export async function readDoneTasks(store: Store): Promise<string[]> {
  const done = json<string[]>(organisationColumn(store, 'set_up_tasks'))
  return (await store.select({ head: { done } })).head.done
}

/** Marks a task outside the service as done, or as not done. */
export async function markTask(store: Store, task: string, isDone: boolean): Promise<void> {
  const tasks = sql`SELECT value FROM json_each(set_up_tasks) WHERE value <> ${task}
    UNION ALL SELECT ${task} WHERE ${Number(isDone)}`
  await store.write(administration, [
    sql`UPDATE organisations SET set_up_tasks = (SELECT json_group_array(value) FROM (${tasks}))
      WHERE id = ${store.organisationId}`,
  ])
}
