import * as z from 'zod'
import { type Collection, shapeOf } from '../../model/collection.ts'
import { ownRecord, recordRules } from '../../records/record-rules.ts'
import { type CellParser, cellParsers, type ImportTarget, ignoreTimes } from './target.ts'

/** Records of a structured collection, as the organisation's own. */
export function createRecordTarget(collection: Collection, organisationId: string): ImportTarget {
  const { item } = collection
  const record = ownRecord(collection, organisationId)
  return ignoreTimes({
    ...recordRules(collection, organisationId),
    plural: collection.plural,
    isNested: true,
    cellParser(column) {
      const path = column.split('.')
      const [first = ''] = path
      const isReadOnly = !Object.hasOwn(record.shape, first) && Object.hasOwn(item.shape, first)
      return isReadOnly ? cellParsers.ignored : findCellParser(record, path)
    },
  })
}

function findCellParser(type: z.core.$ZodType, [name, ...rest]: string[]): CellParser | undefined {
  const shape = shapeOf(type)
  if (name !== undefined) {
    const property = shape && Object.hasOwn(shape, name) ? shape[name] : undefined
    return property && findCellParser(property, rest)
  }
  const value = unwrapType(type)
  if (shape) return cellParsers.json
  if (value instanceof z.ZodNumber) return cellParsers.number
  if (value instanceof z.ZodBoolean) return cellParsers.boolean
  if (value instanceof z.ZodArray)
    return value.element instanceof z.ZodString ? cellParsers.list : cellParsers.json
  return cellParsers.text
}

/** Returns the type of a property without its default and null. */
export function unwrapType(type: z.core.$ZodType): z.core.$ZodType {
  if (type instanceof z.ZodPipe) return unwrapType(type.out)
  if (type instanceof z.ZodDefault || type instanceof z.ZodNullable)
    return unwrapType(type.unwrap())
  return type
}
