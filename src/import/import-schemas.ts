import { faultsOf } from '../model/checked.ts'
import { isObject } from '../model/is-object.ts'
import type { Kind } from '../model/schema.ts'
import { isKind, kindNames, type Schema } from '../model/schema.ts'
import { nothingKept } from '../records/keep.ts'
import { parseSchema } from '../records/schema.ts'
import { dropMisfits, type Misfit, misfitsOf } from '../records/schema-change.ts'
import { extentOf } from '../store/held-values.ts'
import { putSchemas, schemasOf } from '../store/schemas.ts'
import { grouped, type Outcome } from './faults.ts'
import { type FileFault, type Source, textOf, Unreadable } from './read.ts'

const mostBytes = 10_000_000

/**
 * Keeps the schemas of `schemas.json`: an object of schemas by kind, or the members' as the API answers
 * with it. What people have and they cannot hold is a fault, unless it is to be dropped.
 */
export async function importSchemas(
  source: Source,
  db: D1Database,
  organisationId: string,
  { dropValues = false, dry = false }: { dropValues?: boolean; dry?: boolean },
): Promise<Outcome> {
  const { schemas, faults } = check(await read(source))
  const given = Object.entries(schemas) as [Kind, Schema][]
  const records = given.length
  const outcome = (faulty: number): Outcome => ({
    records,
    faulty,
    counts: nothingKept,
    faults: grouped(faults),
  })
  if (faults.length > 0) return outcome(1)
  const before = await schemasOf(db, organisationId)
  for (const [kind, next] of given) {
    const { last } = await extentOf(db, { organisationId, collection: kind })
    const change = { before: before[kind], next }
    for (const misfit of await misfitsOf(db, { organisationId, kind, last }, change)) {
      const reason = reasonOf(kind, misfit, dropValues)
      if (reason) faults.push({ line: 0, field: `${kind}.${misfit.field}`, reason })
    }
  }
  if (faults.length > 0) return outcome(given.length)
  if (dry) return outcome(0)
  for (const [kind, next] of given) {
    await dropMisfits(db, organisationId, kind, { before: before[kind], next })
  }
  await putSchemas(db, organisationId, schemas)
  return outcome(0)
}

/** Returns the valid schemas of a file. */
export const schemasIn = async (source: Source): Promise<Partial<Record<Kind, Schema>>> =>
  check(await read(source)).schemas

/** Why a misfit stands in the way of a schema; undefined where it does not. */
function reasonOf(kind: Kind, { reason, ids }: Misfit, dropValues: boolean): string | undefined {
  if (reason === 'shared')
    return `is to be different for everyone, and ${ids.length} ${kind} have a value there that another has too: change these first.`
  if (dropValues || reason === 'area' || reason === 'option') return undefined
  const what = reason === 'type' ? 'is of another type' : 'is gone'
  return `${what}, and ${ids.length} ${kind} have a value there; --drop-values removes these.`
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
      const reason = `must be one of ${kindNames.join(', ')}.`
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
    if (source.size > mostBytes) throw new Unreadable(0, `has more than ${mostBytes} bytes.`)
    return JSON.parse((await Array.fromAsync(textOf(source))).join(''))
  } catch (error) {
    if (error instanceof SyntaxError) return new Unreadable(0, 'is not valid JSON.')
    if (error instanceof Unreadable) return error
    throw error
  }
}
