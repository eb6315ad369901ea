import type { Kind, Schema } from '../model/properties/schema.ts'
import { resources } from '../resources/resources.ts'
import { createPersonTarget } from './person-target.ts'
import { createRecordTarget } from './record-target.ts'
import type { ImportTarget } from './target.ts'

/** Returns the target for records of a collection; undefined for people without a schema. */
export async function loadTarget(
  name: string,
  organisationId: string,
  schemas: Partial<Record<Kind, Schema>>,
): Promise<ImportTarget | undefined> {
  const { collection, kind } = (await loadResource(name)) ?? {}
  if (collection) return createRecordTarget(collection, organisationId)
  const schema = kind && schemas[kind]
  return schema && createPersonTarget(kind, schema)
}

const loadResource = async (name: string) =>
  Object.hasOwn(resources, name) ? resources[name]?.() : undefined
