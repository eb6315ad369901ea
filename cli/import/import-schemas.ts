import { kinds, parseSchema, type Schema } from '../../src/people/schema.ts'
import { faultsOf } from '../../src/store/checked.ts'
import { putSchemas } from '../../src/store/schemas.ts'
import type { Kind } from '../../src/store/store.ts'
import type { FileFault, Outcome } from './import-file.ts'
import { textOf } from './read.ts'
import { isObject } from './target.ts'
import { Unreadable } from './unreadable.ts'

/** Keeps the schemas of `schemas.json`: an object of schemas by kind, or the members' as the API answers with it. */
export async function importSchemas(
  path: string,
  db: D1Database,
  organisationId: string,
): Promise<Outcome> {
  const { schemas, faults } = check(await read(path))
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

const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name)

async function read(path: string): Promise<unknown> {
  try {
    return JSON.parse((await Array.fromAsync(textOf(path))).join(''))
  } catch (error) {
    if (error instanceof SyntaxError) return new Unreadable(0, 'is not valid JSON.')
    if (error instanceof Unreadable) return error
    throw error
  }
}
