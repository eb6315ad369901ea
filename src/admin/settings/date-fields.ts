import { propertiesIn } from '../../access/collection-properties.ts'
import type { Kind, Schema } from '../../model/properties/schema.ts'
import { isDated } from '../../model/value-types.ts'
import { collections } from '../../resources/collections.ts'

/** The date fields of a collection, by which a retention rule can delete records. */
export async function listDateFields(
  name: string,
  schemas: Partial<Record<Kind, Schema>>,
): Promise<string[]> {
  const structured = await collections[name]?.()
  const types = { collections: structured ? [structured.collection] : [], schemas }
  return propertiesIn(types, name)
    .all()
    .filter(isDated)
    .map((property) => property.name)
}
