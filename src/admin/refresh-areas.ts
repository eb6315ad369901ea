import type { Kind, Schema } from '../model/properties/schema.ts'
import { parseDocument, withPostcodeKeys } from '../records/person.ts'
import { addAreas } from '../records/person-rules.ts'
import { walkDocuments } from '../store/read/walk-records.ts'
import { replacePeople } from '../store/write/people.ts'
import { operatorStore } from './operator-store.ts'

const chunkSize = 100

/** Updates the areas of an organisation's people from the current directory. Returns the number of people. */
export async function refreshAreas(
  d1: D1Database,
  geography: D1Database,
  organisationId: string,
  schemas: Partial<Record<Kind, Schema>>,
): Promise<number> {
  const store = operatorStore(d1, organisationId)
  let count = 0
  for (const [kind, schema] of Object.entries(schemas) as [Kind, Schema][]) {
    for await (const people of walkDocuments(store, kind, chunkSize)) {
      const inputs = people.map(({ document }) =>
        withPostcodeKeys(kind, schema, parseDocument(document)),
      )
      const values = await addAreas(geography, schema, inputs)
      await replacePeople(
        d1,
        organisationId,
        people.map((person, index) => ({ person, document: JSON.stringify(values[index]) })),
        { by: 'command line' },
      )
      count += people.length
    }
  }
  return count
}
