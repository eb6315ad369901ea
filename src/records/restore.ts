import { requireUnrestricted } from '../access/credential.ts'
import { checkPreconditions, type Preconditions } from '../http/preconditions.ts'
import { ApiError, invalidField } from '../model/api-error.ts'
import { notFound } from '../model/collection.ts'
import { withoutDerivedFields } from '../model/properties/area-fields.ts'
import { isInternalKey, type Schema } from '../model/properties/schema.ts'
import { type ChangedRecord, readSameOperation, readVersions } from '../store/read/versions.ts'
import type { Store } from '../store/store.ts'
import { commitWrite } from '../store/write/write.ts'
import { parseDocument } from './person.ts'
import { checkWithId, type PlannedWrite, type RecordType } from './rules.ts'
import { type WriteParts, writeRecords } from './write.ts'

/** The version to restore; with `cascade` also the other records that the same operation changed. */
export type Restoration = { id: string; version: number; cascade: boolean }

/** The numbers of other restored records by collection, and the records left because they changed since. */
export type RestoreResult = {
  restored: Record<string, number>
  left: { collection: string; id: string }[]
}

const permissions = ['read', 'write'] as const
const maxAtOnce = 250

/**
 * Restores a previous version of a record, even of a deleted one, as a new change (additions 1). With
 * `cascade`, also restores what the same deletion or merge did to other records, unless they changed since. Throws 404, 412, and 400 for an unknown version or a document that the schema no
 * longer allows.
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
  const { current, versions } = await readVersions(store, query, permissions)
  requireUnrestricted(store.policy, '$restore')
  if (current === undefined && versions.length === 0) throw notFound(type)
  const previous = versions.find((it) => it.version === version)
  if (!previous)
    throw invalidField('version', 'not_found', 'must be a version that $versions lists.')
  const others = cascade ? await readSameOperation(store, query, previous) : []
  const left = others.filter(({ isUnchanged }) => !isUnchanged)
  const { [collection]: siblings = [], ...dependents } = Object.groupBy(
    others.filter(({ isUnchanged }) => isUnchanged),
    (other) => other.collection,
  )
  // One write, because the person who stayed after a merge may have unique values of the other.
  const records = [{ id, document: previous.document }, ...siblings]
  await writeRecords(
    destination,
    type,
    records.map((record) => planRestore(type, record)),
    {
      permissions,
      isPinned: true,
      check(stored) {
        checkPreconditions(preconditions, stored.get(id)?.version)
        for (const { id, version } of siblings)
          if ((stored.get(id)?.version ?? null) !== version) throw changedMeanwhile()
      },
    },
  )
  const restored: RestoreResult['restored'] = {}
  if (siblings.length > 0) restored[collection] = siblings.length
  for (const [name, records = []] of Object.entries(dependents)) {
    await restoreDocuments(store, name, records)
    restored[name] = records.length
  }
  return { restored, left: left.map(({ collection, id }) => ({ collection, id })) }
}

/** Restores structured records: their stored documents are still valid. Throws 409 after a concurrent change. */
async function restoreDocuments(
  store: Store,
  collection: string,
  records: readonly ChangedRecord[],
): Promise<void> {
  for (let from = 0; from < records.length; from += maxAtOnce) {
    const put = records.slice(from, from + maxAtOnce)
    const { result } = await commitWrite(store, {
      ...{ collection, permissions, unique: [], named: [] },
      put: put.map(({ id, document }) => ({ id, document })),
      versions: put.map(({ id, version }) => ({ id, version })),
    })
    if (result.changed.length > 0) throw changedMeanwhile()
  }
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
