import type { Kind, Schema } from '../model/schema.ts'
import { resources } from '../resources/resources.ts'
import { personTarget } from './person-target.ts'
import { recordTarget } from './record-target.ts'
import type { Target } from './target.ts'

/** What the records of a collection become; undefined for people whose kind has no schema yet. */
export async function targetOf(
  name: string,
  organisationId: string,
  schemas: Partial<Record<Kind, Schema>>,
): Promise<Target | undefined> {
  const { collection, kind } = (await loaded(name)) ?? {}
  if (collection) return recordTarget(collection, organisationId)
  const schema = kind && schemas[kind]
  return schema && personTarget(kind, schema)
}

const loaded = async (name: string) =>
  Object.hasOwn(resources, name) ? resources[name]?.() : undefined
