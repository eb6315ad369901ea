import { sql } from 'drizzle-orm/sql'
import type { Databases } from '../platform/bindings.ts'
import { type Restoration, type RestoreResult, restoreVersion } from '../records/restore.ts'
import type { RecordType } from '../records/rules.ts'
import type { Store } from '../store/store.ts'
import { administration } from '../store/terms.ts'
import { operatorStore } from './operator-store.ts'

/** Restores a previous version of a record. */
export async function restoreRecordAsOperator(
  { DB, GEOGRAPHY }: Pick<Databases, 'DB' | 'GEOGRAPHY'>,
  organisationId: string,
  type: RecordType,
  restoration: Restoration,
): Promise<RestoreResult> {
  const store = operatorStore(DB, organisationId)
  return restoreVersion({ store, geography: GEOGRAPHY }, type, restoration, {})
}

/** Sets for how many days the previous versions of an organisation's records are stored. */
export async function setVersionDays(store: Store, versionDays: number): Promise<void> {
  const audit = { action: 'versionDays.set', target: `${versionDays} days` } as const
  await store.write({ ...administration, audit }, [
    sql`UPDATE organisations SET version_days = ${versionDays} WHERE id = ${store.organisationId}`,
  ])
}
