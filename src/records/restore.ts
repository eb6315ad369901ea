import { requireUnrestricted } from '../access/credential.ts'
import { checkPreconditions, type Preconditions } from '../http/preconditions.ts'
import { ApiError, invalidField } from '../model/api-error.ts'
import { notFound, recordNoun } from '../model/collection.ts'
import { withoutDerivedFields } from '../model/properties/area-fields.ts'
import { isInternalKey, type Schema } from '../model/properties/schema.ts'
import { type ChangedRecord, readSameOperation, readVersions } from '../store/history/versions.ts'
import type { Store } from '../store/store.ts'
import { depthOf } from '../store/write/delete.ts'
import { commitWrite } from '../store/write/write.ts'
import { referencedRecords } from './changes.ts'
import { parseDocument } from './person.ts'
import { checkWithId, type PlannedWrite, type RecordType } from './rules.ts'
import { type WriteParts, writeRecords } from './write.ts'

/** The version to restore; with `cascade` also the other records that the same operation changed. */
export type Restoration = { id: string; version: number; cascade: boolean }

/**
 * The numbers of other restored records by collection, and the records left, because they changed since or
 * refer to records that no longer exist, or restored without their sign-up because its data was deleted.
 */
export type RestoreResult = {
  restored: Record<string, number>
  left: { collection: string; id: string }[]
}

const permissions = ['read', 'write'] as const
const maxAtOnce = 250

/**
 * Restores a previous version of a record, even of a deleted one, as a new change. With
 * `cascade`, also restores what the same deletion or merge did to other records. Leaves those
 * that changed since or would refer to a missing record. Throws 404, 412, and 400 for an unknown version or a
 * document that the schema no longer allows.
 */
export async function restoreVersion(
  destination: WriteParts,
  type: RecordType,
  { id, version, cascade }: Restoration,
  preconditions: Preconditions,
): Promise<RestoreResult> {
  const { store } = destination
  const { name: collection, kind } = type
  const query = { collection, id, kind }
  const { current, versions } = await readVersions(store, query, { permissions })
  requireUnrestricted(store.policy, '$restore')
  if (current === undefined && versions.length === 0) throw notFound(type)
  const previous = versions.find((it) => it.version === version)
  if (!previous)
    throw invalidField('version', 'not_found', 'must be a version that $versions lists.')
  const others = cascade ? await readSameOperation(store, query, previous) : []
  const left = others.filter(({ isUnchanged }) => !isUnchanged)
  const comesWithoutSignUp = current === undefined && previous.lacksSignUp
  const unchanged = others.filter(({ isUnchanged }) => isUnchanged)
  // One write, because the person who stayed after a merge may have unique values of the other.
  const siblings = kind ? unchanged.filter((other) => other.collection === kind) : []
  const dependents = Map.groupBy(
    unchanged.filter((other) => !siblings.includes(other)),
    (other) => other.collection,
  )
  const records = [{ id, document: previous.document }, ...siblings]
  await writeRecords(
    destination,
    type,
    records.map((record) => planRestore(type, record)),
    {
      permissions,
      requiresSameVersion: true,
      isRestore: true,
      audit: {
        action: 'record.restored',
        detail: recordNoun(collection),
        target: id,
        record: { collection, id },
      },
      check(stored) {
        checkPreconditions(preconditions, stored.get(id)?.version)
        for (const { id, version } of siblings)
          if ((stored.get(id)?.version ?? null) !== version) throw changedMeanwhile()
      },
    },
  )
  const restored: RestoreResult['restored'] = {}
  if (siblings.length > 0) restored[collection] = siblings.length
  // A record may refer to another that the same operation deleted, so that one is restored first.
  const byDepth = [...dependents].toSorted(([one], [other]) => depthOf(one) - depthOf(other))
  for (const [name, records] of byDepth) {
    const leftOfCollection = await restoreDocuments(store, name, records)
    left.push(...leftOfCollection)
    const count = records.length - leftOfCollection.length
    if (count > 0) restored[name] = count
  }
  const incomplete = unchanged.filter((other) => other.lacksSignUp && !left.includes(other))
  const listed = [...(comesWithoutSignUp ? [{ collection, id }] : []), ...left, ...incomplete]
  return { restored, left: listed.map(({ collection, id }) => ({ collection, id })) }
}

/**
 * Restores structured records with a valid stored document, and returns the others: they
 * changed meanwhile, or refer to a record that does not exist.
 */
async function restoreDocuments(
  store: Store,
  collection: string,
  records: readonly ChangedRecord[],
): Promise<ChangedRecord[]> {
  const left: ChangedRecord[] = []
  for (let from = 0; from < records.length; from += maxAtOnce) {
    let remaining = records.slice(from, from + maxAtOnce)
    while (remaining.length > 0) {
      const refused = await tryRestore(store, collection, remaining)
      if (refused.size === 0) break
      left.push(...remaining.filter(({ id }) => refused.has(id)))
      remaining = remaining.filter(({ id }) => !refused.has(id))
    }
  }
  return left
}

/** Restores all records or none. Returns the ids of the records that prevent it. */
async function tryRestore(
  store: Store,
  collection: string,
  records: readonly ChangedRecord[],
): Promise<ReadonlySet<string>> {
  const references = records.flatMap(({ id, document }) =>
    referencedRecords(collection, parseDocument(document)).map((referenced) => ({
      referrer: id,
      referenced,
    })),
  )
  const { result } = await commitWrite(store, {
    collection,
    permissions,
    isRestore: true,
    put: records.map(({ id, document }) => ({ id, document })),
    versions: records.map(({ id, version }) => ({ id, version })),
    references: references.map(({ referenced }) => referenced),
  })
  const missing = result.missing.flatMap((index) => references[index]?.referrer ?? [])
  return new Set([...result.changed, ...missing])
}

const changedMeanwhile = () =>
  new ApiError('CONFLICT', 'Another request changed these records: list the versions again.')

/** Plans to replace a record with a stored document. The schema may have lost fields of people since, and their areas are looked up again. */
export const planRestore = (
  type: RecordType,
  { id, document }: Pick<ChangedRecord, 'id' | 'document'>,
  path = '',
): PlannedWrite => ({
  id,
  path,
  check: ({ rules, schema }, before) =>
    checkWithId(type, id, toInput(type, schema, document), (record) => rules.check(record, before)),
})

function toInput({ kind, id }: RecordType, { fields }: Schema, document: string) {
  const values = parseDocument(document)
  if (!kind) return values
  const names = new Set([id, ...withoutDerivedFields(fields).map((field) => field.id)])
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => names.has(name) && !isInternalKey(name)),
  )
}
