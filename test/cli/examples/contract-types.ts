import { collectionNames } from '../../../src/model/collection.ts'
import { compileFields, compileRecord } from '../../../src/model/properties/compile.ts'
import type { Schema } from '../../../src/model/properties/schema.ts'
import { loadCollections } from '../../../src/resources/collections.ts'

/** The types that tables distinguish. */
export type ColumnType = 'text' | 'number' | 'boolean' | 'date' | 'time' | 'list'

/** Returns the type of each column with values, by collection: from the contract, and for people from the schemas that the API serves. */
export async function loadContractTypes(
  readSchema: (kind: string) => Promise<Schema>,
): Promise<Map<string, Map<string, ColumnType>>> {
  const structured = (await loadCollections()).map(
    ({ name, record, item = record }) =>
      // The fields of a profile depend on the schema of members.
      [name, compileRecord(item).leaves.filter(({ path }) => path[0] !== 'profile')] as const,
  )
  const kinds = collectionNames.filter((name) => !structured.some(([other]) => other === name))
  const people = kinds.map(
    async (kind) => [kind, compileFields((await readSchema(kind)).fields)] as const,
  )
  return new Map(
    [...structured, ...(await Promise.all(people))].map(([name, properties]) => [
      name,
      new Map(properties.map((property) => [property.name, toColumnType(property.type)])),
    ]),
  )
}

function toColumnType(type: string): ColumnType {
  if (type === 'number' || type === 'boolean' || type === 'date' || type === 'time') return type
  return ['list', 'options', 'objects'].includes(type) ? 'list' : 'text'
}
