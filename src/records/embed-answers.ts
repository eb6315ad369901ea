import type { Kind, Schema } from '../model/properties/schema.ts'
import { readChunks } from '../store/read/chunks.ts'
import type { Store } from '../store/store.ts'
import { type Audience, findLinkedResponses, replacePeople } from '../store/write/people.ts'
import { audiences, fillFromAnswers } from './answers.ts'
import { addAreas } from './enrich.ts'

const chunkPeople = 100

const audienceEntries = Object.entries(audiences) as [Kind, Audience][]

/**
 * Embeds the answers to an organisation's schema forms in the records of the people they are linked
 * to (contract 1). It is safe to repeat.
 */
export async function embedAnswers(
  store: Store,
  { db, geography }: { db: D1Database; geography: D1Database },
  schemas: Partial<Record<Kind, Schema>>,
): Promise<void> {
  const { organisationId } = store
  for (const [kind, audience] of audienceEntries) {
    const schema = schemas[kind]
    if (!schema || !(await findLinkedResponses(store, audience, []))) continue
    for await (const people of readChunks(db, organisationId, kind, chunkPeople)) {
      const ids = people.map(({ id }) => id)
      const found = await findLinkedResponses(store, audience, ids)
      const responses = Map.groupBy(found ?? [], ({ id }) => id)
      const answering = people.filter(({ id }) => responses.has(id))
      const answered = answering.map((person) =>
        fillFromAnswers({ kind, schema }, person, responses.get(person.id) ?? []),
      )
      const values = await addAreas(geography, schema, answered)
      await replacePeople(
        db,
        organisationId,
        answering.map((person, place) => ({ person, document: JSON.stringify(values[place]) })),
        { by: 'command line', through: 'import' },
      )
    }
  }
}
