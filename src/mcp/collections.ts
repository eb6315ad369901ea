import type { AccessPolicy } from '../access/access-policy.ts'
import { compileFields, compileRecord, type Property } from '../model/properties/compile.ts'
import { parseStoredSchema } from '../model/properties/schema.ts'
import type { Resource } from '../resources/routes/resource.ts'

/** The properties that a policy shows. `schema` is the redacted schema of people as JSON text. */
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
