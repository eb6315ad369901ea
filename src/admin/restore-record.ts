import type { Databases } from '../platform/bindings.ts'
import { type Restoration, type RestoreResult, restoreVersion } from '../records/restore.ts'
import type { RecordType } from '../records/rules.ts'
import { operatorStore } from './operator-store.ts'

/** Restores a previous version of a record. `DB` is the database that has the organisation. */
export async function restoreRecordAsOperator(
  { DB, GEOGRAPHY }: Pick<Databases, 'DB' | 'GEOGRAPHY'>,
  organisationId: string,
  type: RecordType,
  restoration: Restoration,
): Promise<RestoreResult> {
  const store = operatorStore(DB, organisationId)
  const preconditions = {}
  return restoreVersion({ store, geography: GEOGRAPHY }, type, restoration, preconditions)
}
