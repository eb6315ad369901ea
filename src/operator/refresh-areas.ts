import type { Kind, Schema } from '../model/schema.ts'
import { enriched } from '../records/enriched.ts'
import { valuesOf, withPostcodeKeys } from '../records/person.ts'
import { recordsInChunks } from '../store/chunks.ts'
import { replaceDocuments } from '../store/people.ts'

const chunkPeople = 100

/** Enriches an organisation's people anew by the directory's present edition (decisions 8), and gives how many there are. */
export async function refreshAreas(
  d1: D1Database,
  geography: D1Database,
  organisationId: string,
  schemas: Partial<Record<Kind, Schema>>,
): Promise<number> {
  let seen = 0
  for (const [kind, schema] of Object.entries(schemas) as [Kind, Schema][]) {
    for await (const people of recordsInChunks(d1, organisationId, kind, chunkPeople)) {
      const kept = people.map(({ document }) => withPostcodeKeys(kind, schema, valuesOf(document)))
      const values = await enriched(geography, schema, kept)
      await replaceDocuments(
        d1,
        organisationId,
        people.map((person, place) => ({ person, document: JSON.stringify(values[place]) })),
        { by: 'command line' },
      )
      seen += people.length
    }
  }
  return seen
}
