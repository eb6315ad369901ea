import type { Kind, Schema } from '../model/schema.ts'
import { recordsInChunks } from '../store/chunks.ts'
import { type Audience, replaceDocuments, responsesOf, schemaForms } from '../store/people.ts'
import { answeredPerson, audiences } from './answers.ts'
import { enriched } from './enriched.ts'
import { valuesOf } from './person.ts'

const chunkPeople = 100

const audienceEntries = Object.entries(audiences) as [Kind, Audience][]

/** Embeds the answers to an organisation's schema forms in the records of the people they are linked to (contract 1); again makes no difference. */
export async function embedAnswers(
  d1: D1Database,
  geography: D1Database,
  organisationId: string,
  schemas: Partial<Record<Kind, Schema>>,
): Promise<void> {
  const forms = await schemaForms(d1, organisationId)
  for (const [kind, { formFor, linkedBy }] of audienceEntries) {
    const schema = schemas[kind]
    const ids = forms.filter((form) => form.formFor === formFor).map(({ formId }) => formId)
    if (!schema || ids.length === 0) continue
    for await (const people of recordsInChunks(d1, organisationId, kind, chunkPeople)) {
      const personIds = people.map(({ id }) => id)
      const found = await responsesOf(d1, organisationId, linkedBy, personIds, ids)
      const responses = Object.groupBy(found, ({ personId }) => personId)
      const answering = people.filter(({ id }) => Object.hasOwn(responses, id))
      const answered = answering.map(({ id, document, updated }) =>
        answeredPerson(
          { kind, schema },
          { id, values: valuesOf(document), updated },
          responses[id] ?? [],
        ),
      )
      const values = await enriched(geography, schema, answered)
      await replaceDocuments(
        d1,
        answering.map((person, place) => ({ person, document: JSON.stringify(values[place]) })),
      )
    }
  }
}
