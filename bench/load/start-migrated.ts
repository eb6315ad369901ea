import { migrateDatabases } from '../../cli/state/bindings.ts'
import { start } from '../workers.ts'
import { variables } from './credentials.ts'

/** A Worker in a workerd of its own, as it is deployed, with empty databases that are migrated, and an identity provider that the load's users come from. */
export async function startMigrated(folder: string, script: string) {
  const started = await start(folder, script, { variables, inspectorPort: 0 })
  await migrateDatabases(started.bindings)
  return started
}
