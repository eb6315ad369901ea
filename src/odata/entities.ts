import { valueAt } from '../model/json.ts'
import { edmTypeOf } from './edm-types.ts'
import type { EntityProperty } from './entity-sets.ts'

/**
 * The values of a stored document by property. A value that does not fit its property's type
 * is null: one such value would stop Excel from loading the whole table.
 */
export function toEntity(
  properties: readonly EntityProperty[],
  document: string,
): Record<string, unknown> {
  const record: unknown = JSON.parse(document)
  return Object.fromEntries(
    properties.map((property) => [
      property.name,
      edmTypeOf(property).toValue(valueAt(record, property.path)),
    ]),
  )
}
