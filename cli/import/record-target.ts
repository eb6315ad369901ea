import * as z from 'zod'
import { faultsOf } from '../../src/store/checked.ts'
import { type Collection, shapeOf } from '../../src/store/collection.ts'
import { cells, type ReadCell } from './cells.ts'
import { isObject, notAnObject, type Target } from './target.ts'

/** Records of a structured collection, as the organisation's own. */
export function recordTarget(collection: Collection, organisationId: string): Target {
  const { name, plural, id, prepare = (given) => given } = collection
  const own = z.literal(organisationId, `must be ${organisationId}.`)
  const record = collection.record.extend({
    managedBy: z.preprocess((managedBy) => managedBy ?? organisationId, own),
  })
  return {
    collection: name,
    plural,
    id,
    nested: true,
    unique: [],
    cell: (column) => cellReader(record, column.split('.')),
    check(given) {
      if (!isObject(given)) return notAnObject
      const parsed = record.safeParse(prepare(given))
      return parsed.success
        ? { kept: { id: String(parsed.data[id]), document: JSON.stringify(parsed.data) } }
        : { faults: faultsOf(parsed.error) }
    },
  }
}

function cellReader(type: z.core.$ZodType, [name, ...rest]: string[]): ReadCell | undefined {
  const shape = shapeOf(type)
  if (name !== undefined) {
    const property = shape && Object.hasOwn(shape, name) ? shape[name] : undefined
    return property && cellReader(property, rest)
  }
  const value = innermost(type)
  if (shape) return cells.json
  if (value instanceof z.ZodNumber) return cells.number
  if (value instanceof z.ZodBoolean) return cells.boolean
  if (value instanceof z.ZodArray)
    return value.element instanceof z.ZodString ? cells.list : cells.json
  return cells.text
}

function innermost(type: z.core.$ZodType): z.core.$ZodType {
  if (type instanceof z.ZodPipe) return innermost(type.out)
  if (type instanceof z.ZodDefault || type instanceof z.ZodNullable) return innermost(type.unwrap())
  return type
}
