import { collectionNames } from '../../model/collection.ts'
import { compileFields, compileRecord } from '../../model/properties/compile.ts'
import type { Kind, Schema } from '../../model/properties/schema.ts'
import { isDated } from '../../model/properties/value-types.ts'
import { resources } from '../../resources/resources.ts'

/** The date fields of a collection, by which a retention rule can delete records; undefined for an unknown collection. */
export async function listDateFields(
  name: string,
  schemas: Partial<Record<Kind, Schema>>,
): Promise<string[] | undefined> {
  const load = collectionNames.includes(name) ? resources[name] : undefined
  if (!load) return undefined
  const { collection, kind } = await load()
  const { [kind ?? 'members']: schema } = schemas
  const properties = collection
    ? compileRecord(collection.record).leaves
    : compileFields(schema?.fields ?? [])
  return properties.filter(isDated).map(({ name }) => name)
}
