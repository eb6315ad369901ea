import type { Kind, Schema } from '../model/schema.ts'
import { addAreas } from '../records/enrich.ts'
import { parseDocument, withPostcodeKeys } from '../records/person.ts'
import { recordsInChunks } from '../store/read/chunks.ts'
import { replaceDocuments } from '../store/write/people.ts'

const chunkSize = 100

/** Enriches an organisation's people anew by the directory's present edition (decisions 8), and gives how many there are. */
export async function refreshAreas(
  d1: D1Database,
  geography: D1Database,
  organisationId: string,
  schemas: Partial<Record<Kind, Schema>>,
): Promise<number> {
  let count = 0
  for (const [kind, schema] of Object.entries(schemas) as [Kind, Schema][]) {
    for await (const people of recordsInChunks(d1, organisationId, kind, chunkSize)) {
      const inputs = people.map(({ document }) =>
        withPostcodeKeys(kind, schema, parseDocument(document)),
      )
      const values = await addAreas(geography, schema, inputs)
      await replaceDocuments(
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
