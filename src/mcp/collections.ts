import type { AccessPolicy } from '../access/access-policy.ts'
import { compileFields, compileRecord, type Property } from '../model/properties/compile.ts'
import { parseStoredSchema } from '../model/properties/schema.ts'
import { collections } from '../resources/collections.ts'
import { loadCollection } from '../resources/resources.ts'
import { recordTypesOf } from '../resources/routes/expand.ts'
import type { Resource } from '../resources/routes/resource.ts'
import { type CountQuery, countListBy } from '../store/read/count-by.ts'
import type { Store } from '../store/store.ts'

/** Returns the properties that a policy shows. `schema` is the redacted schema of people as JSON text. */
export function listVisibleProperties(
  policy: AccessPolicy,
  resource: Resource,
  schema: string | undefined,
): readonly Property[] {
  if (resource.kind) return compileFields(parseStoredSchema(schema).fields)
  const { name, record } = resource.collection
  const visible = policy.visibleProperties(name, record)
  return compileRecord(record).leaves.filter((leaf) => visible.has(leaf.name))
}

/** Counts the records of a collection by one of their fields. */
export async function countField(store: Store, collection: string, query: CountQuery) {
  const { resource } = await loadCollection(collection)
  return resource.kind
    ? countListBy(store, collection, query)
    : countListBy(store, collection, query, {
        record: () => resource.collection.record,
        findRecordType: recordTypesOf(collections),
      })
}
