import * as z from 'zod'
import { derivedFieldIds } from '../geography/enrichment.ts'
import { isHidden } from '../model/hidden-keys.ts'
import { type Kind, kinds, type Schema } from '../model/schema.ts'
import { valueType } from '../records/field-values.ts'
import { valuesOf } from '../records/person.ts'
import { recordsInChunks } from '../store/chunks.ts'
import { replaceDocuments } from '../store/people.ts'

const chunkPeople = 250

/** How many people of a kind have a value that a schema in place of another has no field for, or one of a type that does not fit, by the field; areas, which are derived anew, do not count. */
export async function strandedValues(
  d1: D1Database,
  organisationId: string,
  kind: Kind,
  schema: Schema,
  before: Schema | undefined,
): Promise<Map<string, number>> {
  const derived = derivedFieldIds(before?.fields ?? [])
  const isStranded = strandedBy(kind, schema, before)
  const counts = new Map<string, number>()
  for await (const people of recordsInChunks(d1, organisationId, kind, chunkPeople)) {
    for (const [field] of people.flatMap(({ document }) =>
      Object.entries(valuesOf(document)).filter(isStranded),
    )) {
      if (!derived.has(field)) counts.set(field, (counts.get(field) ?? 0) + 1)
    }
  }
  return counts
}

/** How many people of a kind have a value that another has too, by the field, in those fields where a schema forbids that and the one before did not. */
export async function sharedValues(
  d1: D1Database,
  organisationId: string,
  kind: Kind,
  schema: Schema,
  before: Schema | undefined,
): Promise<Map<string, number>> {
  const isUnique = (schema: Schema | undefined) =>
    new Set(schema?.fields.filter(({ type }) => type === 'uniqueId').map(({ id }) => id))
  const fields = [...isUnique(schema).difference(isUnique(before))]
  if (fields.length === 0) return new Map()
  const held = new Map(fields.map((id) => [id, new Map<unknown, number>()]))
  for await (const people of recordsInChunks(d1, organisationId, kind, chunkPeople)) {
    for (const { document } of people) {
      const values = valuesOf(document)
      for (const [id, counts] of held) {
        const value = values[id]
        if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
      }
    }
  }
  const shared = fields.map((id): [string, number] => [
    id,
    [...(held.get(id)?.values() ?? [])]
      .filter((count) => count > 1)
      .reduce((sum, count) => sum + count, 0),
  ])
  return new Map(shared.filter(([, people]) => people > 0))
}

/** Removes what a schema leaves stranded in place of another from the records, and so from the index. */
export async function dropStranded(
  d1: D1Database,
  organisationId: string,
  kind: Kind,
  schema: Schema,
  before: Schema | undefined,
): Promise<void> {
  const isStranded = strandedBy(kind, schema, before)
  for await (const people of recordsInChunks(d1, organisationId, kind, chunkPeople)) {
    await replaceDocuments(
      d1,
      people.map((person) => {
        const values = Object.entries(valuesOf(person.document))
        const held = values.filter((value) => !isStranded(value))
        const document =
          held.length < values.length ? JSON.stringify(Object.fromEntries(held)) : person.document
        return { person, document }
      }),
    )
  }
}

/** What tells whether a schema cannot hold a value. One that is no longer among a field's options is history, and held. */
function strandedBy(kind: Kind, { fields }: Schema, before: Schema | undefined) {
  const typesBefore = new Map(before?.fields.map(({ id, type }) => [id, type]))
  const types = new Map(
    fields.map(({ options, ...field }) => [
      field.id,
      typesBefore.get(field.id) === field.type ? anything : valueType(field),
    ]),
  )
  return ([id, value]: [string, unknown]) =>
    id !== kinds[kind].id && !isHidden(id) && !types.get(id)?.safeParse(value).success
}

const anything = z.unknown()
