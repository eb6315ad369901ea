import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Databases } from '../platform/bindings.ts'
import { type Restoration, type RestoreResult, restoreVersion } from '../records/restore.ts'
import type { RecordType } from '../records/rules.ts'
import { insertAuditEntry } from '../store/audit-log.ts'
import { organisations } from '../store/tables.ts'
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
export async function setVersionDays(
  d1: D1Database,
  organisationId: string,
  versionDays: number,
  by: string,
): Promise<void> {
  const db = drizzle(d1)
  await db.batch([
    db.update(organisations).set({ versionDays }).where(eq(organisations.id, organisationId)),
    insertAuditEntry(db, {
      organisationId,
      actor: by,
      action: 'set previous versions',
      target: `${versionDays} days`,
    }),
  ])
}
