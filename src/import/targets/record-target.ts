import type { Collection } from '../../model/collection.ts'
import { compileRecord } from '../../model/properties/compile.ts'
import { valueTypes } from '../../model/value-types.ts'
import { recordRules } from '../../records/record-rules.ts'
import { cellParsers, type ImportTarget, ignoreTimes } from './target.ts'

/** The target for records of a structured collection. The organisation owns the records. */
export function createRecordTarget(collection: Collection, organisationId: string): ImportTarget {
  const { leaves, names } = compileRecord(collection.record)
  const shownNames = compileRecord(collection.item ?? collection.record).names
  return ignoreTimes({
    ...recordRules(collection, organisationId),
    plural: collection.plural,
    isNested: true,
    cellParser(column) {
      const [first = ''] = column.split('.')
      if (!names.has(first) && shownNames.has(first)) return cellParsers.ignored
      const property = leaves.find(({ name }) => name === column)
      if (property) return cellParsers[valueTypes[property.type].cell]
      return names.has(column) ? cellParsers.json : undefined
    },
  })
}
