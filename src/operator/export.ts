import { ownFields } from '../geography/enrichment.ts'
import { targetOf } from '../import/targets.ts'
import type { Fault } from '../model/checked.ts'
import { isKind, type Kind, type Schema } from '../model/schema.ts'
import { recordsInChunks } from '../store/chunks.ts'

/** A record as a line of NDJSON, and why an import would refuse it, if it would. */
export type Exported = { id: string; line: string; faults: readonly Fault[] }

// As many documents as are in memory at a time; one may have half a megabyte.
const chunkRecords = 100

/** The records of a collection, whole, in the order in which they arrived. Of people only what can be given: areas are worked out anew. */
export async function* exportedRecords(
  d1: D1Database,
  organisationId: string,
  collection: string,
  schemas: Partial<Record<Kind, Schema>>,
): AsyncGenerator<Exported> {
  const target = await targetOf(collection, organisationId, schemas)
  const schema = isKind(collection) ? schemas[collection] : undefined
  const given = schema && new Set([...ownFields(schema.fields).map(({ id }) => id), target?.id])
  for await (const chunk of recordsInChunks(d1, organisationId, collection, chunkRecords)) {
    for (const { id, document } of chunk) {
      const record: Record<string, unknown> = JSON.parse(document)
      const kept = given
        ? Object.fromEntries(Object.entries(record).filter(([key]) => given.has(key)))
        : record
      const checked = target?.check(kept) ?? withoutSchema
      const faults = 'faults' in checked ? checked.faults : []
      yield { id, line: `${JSON.stringify(kept)}\n`, faults }
    }
  }
}

/** The schemas as `schemas.json` gives them, without the fields that derive from others. */
export const exportedSchemas = (schemas: Partial<Record<Kind, Schema>>) =>
  Object.fromEntries(
    Object.entries(schemas).map(([kind, schema]) => [
      kind,
      { name: schema.name, fields: ownFields(schema.fields) },
    ]),
  )

const withoutSchema = { faults: [{ field: '', reason: 'is of people without a schema.' }] }
