import { migrateDatabases } from '../../cli/state/bindings.ts'
import { start } from '../workers.ts'
import { variables } from './credentials.ts'

/** Starts the deployed Worker in its own workerd, with migrated empty databases and the load's identity provider. */
export async function startMigrated(folder: string, script: string) {
  const started = await start(folder, script, { variables, inspectorPort: 0 })
  await migrateDatabases(started.bindings)
  return started
}
