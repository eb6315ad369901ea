import type { Kind, Schema, Values } from '../model/schema.ts'
import { recordsInChunks } from '../store/chunks.ts'
import { replaceDocuments, responsesOf, schemaForms } from '../store/people.ts'
import { withAnswers } from './answers.ts'
import { asWritten } from './bounds.ts'
import { enriched } from './enriched.ts'
import { valuesOf, withPostcodeKeys } from './person.ts'

const chunkPeople = 100

const audiences = {
  Members: { kind: 'members', linkedBy: 'linkedEntities.memberIds' },
  Volunteers: { kind: 'volunteers', linkedBy: 'linkedEntities.volunteerIds' },
  Partners: { kind: 'partners', linkedBy: 'linkedEntities.partnerIds' },
} as const satisfies Record<string, { kind: Kind; linkedBy: string }>

/** Embeds the answers to an organisation's schema forms in the records of the people they are linked to (contract 1); again makes no difference. */
export async function embedAnswers(
  d1: D1Database,
  geography: D1Database,
  organisationId: string,
  schemas: Partial<Record<Kind, Schema>>,
): Promise<void> {
  const forms = await schemaForms(d1, organisationId)
  for (const [audience, { kind, linkedBy }] of Object.entries(audiences)) {
    const schema = schemas[kind]
    const ids = forms.filter(({ formFor }) => formFor === audience).map(({ formId }) => formId)
    if (!schema || ids.length === 0) continue
    for await (const people of recordsInChunks(d1, organisationId, kind, chunkPeople)) {
      const personIds = people.map(({ id }) => id)
      const found = await responsesOf(d1, organisationId, linkedBy, personIds, ids)
      const responses = Object.groupBy(found, ({ personId }) => personId)
      const answering = people.filter(({ id }) => Object.hasOwn(responses, id))
      const answered = answering.map(({ id, document, updated }): Values => {
        const given = (responses[id] ?? []).map(({ document }) => JSON.parse(document))
        const known = valuesOf(document)
        const values = withPostcodeKeys(kind, schema, withAnswers(known, updated, schema, given))
        // Answers that would make the record too large stay in the responses alone.
        return 'kept' in asWritten(id, values) ? values : known
      })
      const values = await enriched(geography, schema, answered)
      await replaceDocuments(
        d1,
        answering.map((person, place) => ({ person, document: JSON.stringify(values[place]) })),
      )
    }
  }
}
