import * as z from 'zod'
import { type Collection, shapeOf } from '../model/collection.ts'
import { ownRecord, recordRules } from '../records/record-rules.ts'
import { type CellReader, cells } from './cells.ts'
import { type Target, withoutTimes } from './target.ts'

/** Records of a structured collection, as the organisation's own. */
export function recordTarget(collection: Collection, organisationId: string): Target {
  const { item } = collection
  const record = ownRecord(collection, organisationId)
  return withoutTimes({
    ...recordRules(collection, organisationId),
    plural: collection.plural,
    nested: true,
    cell(column) {
      const path = column.split('.')
      const [first = ''] = path
      const isShown = !Object.hasOwn(record.shape, first) && Object.hasOwn(item.shape, first)
      return isShown ? cells.shown : cellReader(record, path)
    },
  })
}

function cellReader(type: z.core.$ZodType, [name, ...rest]: string[]): CellReader | undefined {
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

/** A type of property without what stands for no value of it. */
export function innermost(type: z.core.$ZodType): z.core.$ZodType {
  if (type instanceof z.ZodPipe) return innermost(type.out)
  if (type instanceof z.ZodDefault || type instanceof z.ZodNullable) return innermost(type.unwrap())
  return type
}
