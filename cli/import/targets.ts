import type { Schema } from '../../src/people/schema.ts'
import { resources } from '../../src/resources.ts'
import type { Kind } from '../../src/store/store.ts'
import { personTarget } from './person-target.ts'
import { recordTarget } from './record-target.ts'
import type { Target } from './target.ts'

/** The names a file of records may have, in the order in which they are imported. */
export const collections = Object.keys(resources).filter((name) => name !== 'schemas')

/** What the records of a collection become; undefined for people whose kind has no schema yet. */
export function targetOf(
  name: string,
  organisationId: string,
  schemas: Partial<Record<Kind, Schema>>,
): Target | undefined {
  const resource = Object.entries(resources).find(([segment]) => segment === name)?.[1]
  if (resource && 'collection' in resource) return recordTarget(resource.collection, organisationId)
  if (!resource || !('kind' in resource)) return undefined
  const schema = schemas[resource.kind]
  return schema && personTarget(resource.kind, schema)
}
