import { type Kind, kinds } from '../model/properties/schema.ts'
import type { Bindings, Databases } from '../platform/bindings.ts'
import { type ErasureEntry, type ErasureResult, erase, listErasures } from '../records/erase.ts'
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
 * new sign-up: it stays unless it was created from `recreatedFrom` on. With `recreatedFrom`, a deleted person who
 * can be restored stays too: an erasure leaves no versions, so they had joined again.
 */
export async function* replayErasures(
  bindings: Databases,
  organisationId: string | undefined,
  recreatedFrom?: string,
): AsyncGenerator<ReplayResult> {
  for await (const entry of listErasures(bindings.KEYS, organisationId)) {
    const person = { ...entry, kind: entry.collection }
    const storage = await findOrganisation(bindings, entry.organisationId)
    const preview = storage && (await previewPersonErasure(storage, person))
    if (!preview) yield { ...entry, result: 'nothing' }
    else if (hasJoinedAgain(preview, entry, recreatedFrom)) yield { ...entry, result: 'left' }
    else {
      await erasePerson(storage, person)
      yield { ...entry, result: 'erased' }
    }
  }
}

function hasJoinedAgain(
  { created, hasVersions }: ErasurePreview,
  { at }: ErasureEntry,
  recreatedFrom: string | undefined,
): boolean {
  if (created === null) return hasVersions && recreatedFrom !== undefined
  return created > at && (recreatedFrom === undefined || created < recreatedFrom)
}
