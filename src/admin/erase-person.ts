import { type Kind, kinds } from '../model/properties/schema.ts'
import type { Bindings, Databases } from '../platform/bindings.ts'
import {
  type ErasureEntry,
  type ErasureResult,
  erase,
  findErasures,
  listErasures,
} from '../records/erase.ts'
import { readLatestChange } from '../store/read/changes.ts'
import { readWrittenPeople } from '../store/read/written-people.ts'
import { type ErasurePreview, previewErasure } from '../store/write/preview-erasure.ts'
import { findOrganisation } from './open-organisation.ts'
import { operatorStore } from './operator-store.ts'

/** A person of an organisation. */
export type PersonReference = { organisationId: string; kind: Kind; id: string }

/** Previews the erasure of a person; returns undefined if there is no data about them. */
export async function previewPersonErasure(
  { DB }: Pick<Bindings, 'DB'>,
  { organisationId, kind, id }: PersonReference,
): Promise<ErasurePreview | undefined> {
  const preview = await previewErasure(operatorStore(DB, organisationId), { kind, id })
  return preview.isStored ? preview : undefined
}

/** Erases a person in as many steps as needed. */
export const erasePerson = (
  { DB, KEYS }: Pick<Bindings, 'DB' | 'KEYS'>,
  { organisationId, kind, id }: PersonReference,
): Promise<ErasureResult> =>
  erase(
    operatorStore(DB, organisationId),
    KEYS,
    { kind, ...kinds[kind] },
    id,
    {},
    Number.POSITIVE_INFINITY,
  )

/** The result for an entry of the erasure ledger: no data, erased again, or left because the record is newer. */
type ReplayResult = ErasureEntry & { result: 'nothing' | 'erased' | 'left' }

/**
 * Erases people again after a restored backup. A record that was created after the erasure may be a
 * new sign-up: it stays unless it was created from `recreatedFrom` on.
 */
export async function* replayErasures(
  bindings: Databases,
  organisationId: string | undefined,
  recreatedFrom?: string,
): AsyncGenerator<ReplayResult> {
  for await (const entry of listErasures(bindings.KEYS, organisationId))
    yield replayErasure(bindings, entry, recreatedFrom)
}

/** The state of an organisation before an import. */
export type BeforeImport = { version: number; time: string }

export const readBeforeImport = async (
  { DB }: Pick<Bindings, 'DB'>,
  organisationId: string,
): Promise<BeforeImport> => ({
  version: (await readLatestChange(operatorStore(DB, organisationId))).cursor.after,
  time: new Date().toISOString(),
})

/**
 * Erases the people in the ledger again whose data an import on the command line has written. Costs as much as
 * the import. People who joined again before the import stay.
 */
export async function* eraseReimported(
  bindings: Databases,
  organisationId: string,
  { version, time }: BeforeImport,
): AsyncGenerator<ErasureEntry> {
  const storage = await findOrganisation(bindings, organisationId)
  if (!storage) return
  const people = readWrittenPeople(operatorStore(storage.DB, organisationId), version)
  for await (const entry of findErasures(bindings.KEYS, organisationId, people))
    if ((await replayErasure(bindings, entry, time)).result === 'erased') yield entry
}

/**
 * With `recreatedFrom`, a deleted person who can be restored stays too: an erasure leaves no versions, so they had
 * joined again.
 */
async function replayErasure(
  bindings: Databases,
  entry: ErasureEntry,
  recreatedFrom: string | undefined,
): Promise<ReplayResult> {
  const person = { ...entry, kind: entry.collection }
  const storage = await findOrganisation(bindings, entry.organisationId)
  const preview = storage && (await previewPersonErasure(storage, person))
  if (!preview) return { ...entry, result: 'nothing' }
  if (hasJoinedAgain(preview, entry, recreatedFrom)) return { ...entry, result: 'left' }
  await erasePerson(storage, person)
  return { ...entry, result: 'erased' }
}

function hasJoinedAgain(
  { created, hasVersions }: ErasurePreview,
  { at }: ErasureEntry,
  recreatedFrom: string | undefined,
): boolean {
  if (created === null) return hasVersions && recreatedFrom !== undefined
  return created > at && (recreatedFrom === undefined || created < recreatedFrom)
}
