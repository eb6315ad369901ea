import type { ChangeSource } from '../model/author.ts'
import { audiences } from '../model/forms/survey-form.ts'
import { valueAt } from '../model/json.ts'
import { type Kind, kindNames, parseStoredSchema, type Values } from '../model/properties/schema.ts'
import { walkDocuments } from '../store/read/walk-records.ts'
import type { Store } from '../store/store.ts'
import { commitFilledPeople, findLinkedResponses, readPeopleToFill } from '../store/write/people.ts'
import type { NewDocument } from '../store/write/put.ts'
import { fillFromAnswers } from './answers.ts'
import { parseDocument } from './person.ts'
import { personRules } from './person-rules.ts'
import { retryWhileChanged } from './retry.ts'

/** The databases, and the source of the changes if it is not a single request. */
type Databases = { store: Store; geography: D1Database; source?: ChangeSource | undefined }

const chunkPeople = 100

/**
 * Fills fields of the people linked to these records, if the records are responses to a schema form. Safe to repeat, because an answer replaces only older values.
 */
export async function fillPeople(
  databases: Databases,
  collection: string,
  written: readonly NewDocument[],
): Promise<void> {
  if (collection !== 'survey-responses' || written.length === 0) return
  const responses = written.map(({ document }): Values => JSON.parse(document))
  for (const kind of kindNames) {
    const path = audiences[kind].linkedBy.split('.')
    const linked = responses.flatMap((response) => valueAt(response, path) ?? [])
    const ids = [...new Set(linked.map(String))]
    for (let from = 0; from < ids.length; from += chunkPeople)
      await fillFromResponses(databases, kind, ids.slice(from, from + chunkPeople))
  }
}

/**
 * Fills all people of an organisation from their responses, after an import of forms or schemas.
 * Safe to repeat.
 */
export async function fillAllPeople(databases: Databases): Promise<void> {
  const { store } = databases
  for (const kind of kindNames) {
    if (!(await findLinkedResponses(store, audiences[kind], []))) continue
    for await (const people of walkDocuments(store, kind, chunkPeople))
      await fillFromResponses(
        databases,
        kind,
        people.map(({ id }) => id),
      )
  }
}

/** Fills people of one kind from the responses linked to them. */
export async function fillFromResponses(
  { store, geography, source }: Databases,
  kind: Kind,
  ids: readonly string[],
): Promise<void> {
  const linked = await findLinkedResponses(store, audiences[kind], ids)
  const responses = Map.groupBy(linked ?? [], ({ id }) => id)
  if (responses.size === 0) return
  await retryWhileChanged(async () => {
    const { people, ...stored } = await readPeopleToFill(store, kind, [...responses.keys()])
    const schema = parseStoredSchema(stored.schema)
    const filled = people.map((person) => ({
      id: person.id,
      document: JSON.stringify(
        fillFromAnswers({ kind, schema }, person, responses.get(person.id) ?? []),
      ),
    }))
    const before = new Map(people.map(({ id, document }) => [id, parseDocument(document)]))
    const placed = await personRules(kind, schema).addAreas?.(geography, filled, before)
    return (await commitFilledPeople(store, { kind, source }, people, placed ?? filled))
      ? true
      : undefined
  })
}
