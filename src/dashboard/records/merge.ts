import type { Context } from 'hono'
import { parsePreconditions } from '../../http/preconditions.ts'
import { valueAt } from '../../model/json.ts'
import { type Reference, references } from '../../model/references.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { type CollectionInfo, describeCollection, type Values } from './collection-info.ts'
import { type LoadedRecord, loadRecords } from './read.ts'
import { buildPatch } from './record-form.tsx'

const batchSize = 250

/**
 * Merges two people: the survivor takes the chosen values and the references of the duplicate, which
 * is deleted last. Every step is repeatable: after a failure both records exist, and merging again
 * completes the rest.
 */
export async function mergePeople(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  survivor: LoadedRecord,
  duplicate: LoadedRecord,
  chosenFields: readonly string[],
): Promise<void> {
  const properties = collection.properties.filter(({ name }) => chosenFields.includes(name))
  const changes = properties.map(({ path }) => ({
    path,
    value: valueAt(duplicate.values, path) ?? null,
  }))
  const uniqueFields = new Set(
    collection.fields.filter(({ type }) => type === 'uniqueId').map(({ id }) => id),
  )
  const uniqueChanges = changes.filter(({ path }) => uniqueFields.has(path.join('.')))
  // Unique values must leave the duplicate before the survivor can take them.
  const clearedChanges = uniqueChanges.map(({ path }) => ({ path, value: null }))
  const duplicateEtag =
    uniqueChanges.length > 0
      ? await patchRecord(c, collection, duplicate, clearedChanges, duplicate.etag)
      : duplicate.etag
  try {
    if (changes.length > 0) await patchRecord(c, collection, survivor, changes, survivor.etag)
  } catch (error) {
    if (uniqueChanges.length > 0)
      await patchRecord(c, collection, duplicate, uniqueChanges, duplicateEtag)
    throw error
  }
  for (const reference of references.filter(({ to }) => to === collection.name)) {
    await moveReferences(c, reference, duplicate.id, survivor.id)
  }
  const preconditions = parsePreconditions({ 'If-Match': duplicateEtag })
  await c.var.records.delete(collection.resource, duplicate.id, preconditions, false)
}

/** Patches a record and returns its new ETag. */
async function patchRecord(
  c: Context<DashboardEnv>,
  { resource }: CollectionInfo,
  record: LoadedRecord,
  changes: readonly { path: readonly string[]; value: unknown }[],
  etag: string,
): Promise<string> {
  const { kept } = await c.var.records.merge(
    resource,
    record.id,
    buildPatch(changes),
    parsePreconditions({ 'If-Match': etag }),
    resource.related,
  )
  return `"${kept?.version}"`
}

/** Moves every reference from one person to another. Updated records leave the filtered list, so the first page is read until it is empty. */
async function moveReferences(
  c: Context<DashboardEnv>,
  { from, path }: Reference,
  fromId: string,
  toId: string,
): Promise<void> {
  const collection = await describeCollection(c, from)
  const query = new URLSearchParams({ [path]: fromId, limit: String(batchSize) })
  for (;;) {
    const { records } = await loadRecords(c, collection, query)
    if (records.length === 0) return
    const updated = records.map((record) => replaceReference(record, path.split('.'), fromId, toId))
    await c.var.records.upsertBatch(collection.resource, updated)
  }
}

function replaceReference(
  values: Values,
  path: readonly string[],
  fromId: string,
  toId: string,
): Values {
  const [name = '', ...rest] = path
  const value = values[name]
  if (rest.length > 0)
    return { ...values, [name]: replaceReference(value as Values, rest, fromId, toId) }
  const next = Array.isArray(value)
    ? [...new Set(value.map((id) => (id === fromId ? toId : id)))]
    : toId
  return { ...values, [name]: next }
}
