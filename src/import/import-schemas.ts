import { faultsOf } from '../model/checked.ts'
import type { Kind } from '../model/schema.ts'
import { isKind, kinds, type Schema } from '../model/schema.ts'
import { isObject } from '../records/rules.ts'
import { parseSchema } from '../records/schema.ts'
import { putSchemas } from '../store/schemas.ts'
import { type FileFault, type Outcome, type Source, textOf, Unreadable } from './read.ts'

/** Keeps the schemas of `schemas.json`: an object of schemas by kind, or the members' as the API answers with it. */
export async function importSchemas(
  source: Source,
  db: D1Database,
  organisationId: string,
): Promise<Outcome> {
  const { schemas, faults } = check(await read(source))
  if (faults.length === 0) await putSchemas(db, organisationId, schemas)
  return { records: Object.keys(schemas).length, faults }
}

function check(given: unknown) {
  const schemas: Partial<Record<Kind, Schema>> = {}
  const faults: FileFault[] = []
  if (given instanceof Unreadable) {
    return { schemas, faults: [{ line: given.line, field: '', reason: given.message }] }
  }
  if (!isObject(given)) {
    return { schemas, faults: [{ line: 0, field: '', reason: 'is not a JSON object.' }] }
  }
  for (const [kind, schema] of Object.entries('fields' in given ? { members: given } : given)) {
    if (!isKind(kind)) {
      const reason = `must be one of ${Object.keys(kinds).join(', ')}.`
      faults.push({ line: 0, field: kind, reason })
      continue
    }
    const checked = parseSchema(kind, schema)
    if (checked.success) schemas[kind] = checked.data
    else {
      for (const { field, reason } of faultsOf(checked.error)) {
        faults.push({ line: 0, field: [kind, field].filter(Boolean).join('.'), reason })
      }
    }
  }
  return { schemas, faults }
}

async function read(source: Source): Promise<unknown> {
  try {
    return JSON.parse((await Array.fromAsync(textOf(source))).join(''))
  } catch (error) {
    if (error instanceof SyntaxError) return new Unreadable(0, 'is not valid JSON.')
    if (error instanceof Unreadable) return error
    throw error
  }
}
