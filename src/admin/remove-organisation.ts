import type { RecordDatabases } from '../platform/bindings.ts'
import {
  countUsers,
  deleteMemberships,
  deleteOrganisationRow,
  listKeyHashes,
  type OrganisationContents,
  readContents,
} from '../store/organisations.ts'
import { deleteRows } from './move/delete-rows.ts'
import { findLocations } from './move/locations.ts'
import { unfreeze } from './move/switch.ts'

/** Counts the data of an organisation; undefined for an unknown id. */
export async function countContents(
  env: RecordDatabases,
  id: string,
): Promise<OrganisationContents | undefined> {
  const locations = await findLocations(env, id)
  const home = locations.find(({ database }) => database === null) ?? locations[0]
  const contents = home && (await readContents(home.d1, id))
  return contents && { ...contents, users: await countUsers(env.DB, id) }
}

/**
 * Removes an organisation with all its data from all databases and reports the number of removed records. Users and
 * keys go first and the row of the directory last, so that an interrupted run can be repeated.
 */
export async function deleteOrganisation(
  env: RecordDatabases & { KEYS: KVNamespace },
  id: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  await deleteMemberships(env.DB, id)
  const locations = await findLocations(env, id)
  for (const { d1 } of locations.toReversed()) {
    await unfreeze(d1, id)
    const hashes = await listKeyHashes(d1, id)
    const deleteHints = () => Promise.all(hashes.map((hash) => env.KEYS.delete(hash)))
    // Twice: an interrupted run must find every hint again, and a request may restore one.
    await deleteHints()
    await deleteRows(d1, id, onProgress)
    await deleteHints()
    await deleteOrganisationRow(d1, id)
  }
}
