import { loadTarget } from '../import/targets/load-target.ts'
import { findOpenSchema } from '../import/targets/open-schema.ts'
import { withoutDerivedFields } from '../model/properties/area-fields.ts'
import type { Kind, Schema } from '../model/properties/schema.ts'
import type { ValidationError } from '../model/validation-error.ts'
import { walkDocuments } from '../store/read/walk-records.ts'
import { operatorStore } from './operator-store.ts'

/** A record as a line of NDJSON, with the errors that an import would report. */
type ExportedRecord = { id: string; line: string; errors: readonly ValidationError[] }

// Limits memory use, because a document can have half a megabyte.
const chunkSize = 100

/** Yields the records of a collection in order of arrival. People come without area fields, because an import derives them again. */
export async function* exportRecords(
  d1: D1Database,
  organisationId: string,
  collection: string,
  schemas: Partial<Record<Kind, Schema>>,
): AsyncGenerator<ExportedRecord> {
  const recordType = await loadTarget(collection, organisationId, schemas)
  const schema = findOpenSchema(collection, schemas)?.schema
  const inputFields =
    schema && new Set([...withoutDerivedFields(schema.fields).map(({ id }) => id), recordType?.id])
  for await (const chunk of walkDocuments(
    operatorStore(d1, organisationId),
    collection,
    chunkSize,
  )) {
    for (const { id, document } of chunk) {
      const record: Record<string, unknown> = JSON.parse(document)
      const input = inputFields
        ? Object.fromEntries(Object.entries(record).filter(([key]) => inputFields.has(key)))
        : record
      const result = recordType?.check(input) ?? missingSchema
      const errors = 'errors' in result ? result.errors : []
      yield { id, line: `${JSON.stringify(input)}\n`, errors }
    }
  }
}

/** The schemas in the form of `schemas.json`, without derived fields. */
export const exportSchemas = (schemas: Partial<Record<Kind, Schema>>) =>
  Object.fromEntries(
    Object.entries(schemas).map(([kind, schema]) => [
      kind,
      { name: schema.name, fields: withoutDerivedFields(schema.fields) },
    ]),
  )

const missingSchema: { errors: ValidationError[] } = {
  errors: [{ field: '', message: 'is of people without a schema.', code: 'not_found' }],
}
