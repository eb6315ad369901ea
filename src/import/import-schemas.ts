import { formatRecordCount } from '../model/collection.ts'
import { isObject } from '../model/json.ts'
import { isKind, type Kind, kindNames, type Schema } from '../model/properties/schema.ts'
import { messages, toValidationErrors } from '../model/validation-error.ts'
import { pluralise } from '../platform/pluralise.ts'
import { parseSchema } from '../records/schema/schema.ts'
import { findMisfits, type Misfit, removeMisfits } from '../records/schema/schema-change.ts'
import { readLastOrdinal } from '../store/read/field-values.ts'
import { putSchemas, readSchemas } from '../store/settings/schemas.ts'
import { groupErrors } from './report/error-collector.ts'
import { type ImportResult, writeNothing } from './report/import-result.ts'
import { readJsonFile } from './rows/json-file.ts'
import { type LineError, type Source, UnreadableFileError, unreadable } from './source/source.ts'

/**
 * Imports `schemas.json`: an object of schemas by kind, or the members' schema in the API's format.
 * Rejects it if stored values of people conflict with it; `dropValues` drops values instead where
 * their field is gone or has another type.
 */
export async function importSchemas(
  source: Source,
  db: D1Database,
  organisationId: string,
  { dropValues = false, dry = false }: { dropValues?: boolean; dry?: boolean },
): Promise<ImportResult> {
  const { schemas, errors } = validateSchemas(await readJsonFile(source))
  const schemaEntries = Object.entries(schemas) as [Kind, Schema][]
  const records = schemaEntries.length
  const toResult = (rejected: number): ImportResult =>
    writeNothing({ records, rejected, errors: groupErrors(errors) })
  if (errors.length > 0) return toResult(1)
  const before = await readSchemas(db, organisationId)
  for (const [kind, next] of schemaEntries) {
    const { last } = await readLastOrdinal(db, { organisationId, collection: kind })
    const change = { before: before[kind], next }
    for (const misfit of await findMisfits(db, { organisationId, kind, last }, change)) {
      const message = explainMisfit(kind, misfit, dropValues)
      if (message)
        errors.push({ line: 0, field: `${kind}.${misfit.field}`, message, code: 'conflict' })
    }
  }
  if (errors.length > 0) return toResult(schemaEntries.length)
  if (dry) return toResult(0)
  for (const [kind, next] of schemaEntries) {
    await removeMisfits(db, organisationId, kind, { before: before[kind], next })
  }
  await putSchemas(db, organisationId, schemas)
  return toResult(0)
}

export const parseSchemasFile = async (source: Source): Promise<Partial<Record<Kind, Schema>>> =>
  validateSchemas(await readJsonFile(source)).schemas

/** The error for stored values that do not fit a schema; undefined if they may be dropped. */
function explainMisfit(
  kind: Kind,
  { reason, ids }: Misfit,
  dropValues: boolean,
): string | undefined {
  if (reason === 'shared')
    return `is to be different for everyone, and ${ids.length} ${kind} have a value there that another has too: change these first.`
  if (dropValues || reason === 'area' || reason === 'option') return undefined
  const cause = reason === 'type' ? 'is of another type' : 'is gone'
  const people = formatRecordCount(ids.length, kind)
  const have = pluralise(ids.length, 'has', 'have')
  return `${cause}, and ${people} ${have} a value there; --drop-values removes them.`
}

function validateSchemas(input: unknown): {
  schemas: Partial<Record<Kind, Schema>>
  errors: LineError[]
} {
  const schemas: Partial<Record<Kind, Schema>> = {}
  const errors: LineError[] = []
  if (input instanceof UnreadableFileError) {
    return { schemas, errors: [{ line: input.line, ...unreadable(input.message) }] }
  }
  if (!isObject(input)) {
    return { schemas, errors: [{ line: 0, ...unreadable('is not a JSON object.') }] }
  }
  for (const [kind, schema] of Object.entries('fields' in input ? { members: input } : input)) {
    if (!isKind(kind)) {
      const message = messages.oneOf(kindNames)
      errors.push({ line: 0, field: kind, message, code: 'unknown_field' })
      continue
    }
    const result = parseSchema(kind, schema)
    if (result.success) schemas[kind] = result.data
    else {
      for (const { field, ...error } of toValidationErrors(result.error, schema)) {
        errors.push({ line: 0, field: [kind, field].filter(Boolean).join('.'), ...error })
      }
    }
  }
  return { schemas, errors }
}
