import { readFileSync } from 'node:fs'
import { kinds, parseSchema, type Schema } from '../../src/people/schema.ts'
import { faultsOf } from '../../src/store/checked.ts'
import { putSchemas } from '../../src/store/schemas.ts'
import type { Kind } from '../../src/store/store.ts'
import type { FileFault, Outcome } from './import-file.ts'
import { isObject } from './target.ts'

/** Keeps the schemas of `schemas.json`: an object of schemas by kind, or the members' as the API answers with it. */
export async function importSchemas(
  path: string,
  db: D1Database,
  organisationId: string,
): Promise<Outcome> {
  const { schemas, faults } = check(readFileSync(path, 'utf8'))
  if (faults.length === 0) await putSchemas(db, organisationId, schemas)
  return { records: Object.keys(schemas).length, faults }
}

function check(text: string) {
  const schemas: Partial<Record<Kind, Schema>> = {}
  const faults: FileFault[] = []
  const given = parsed(text)
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
        faults.push({ line: 0, field: `${kind}.${field}`, reason })
      }
    }
  }
  return { schemas, faults }
}

const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
