import type { Collection } from '../../model/collection.ts'
import { compileRecord } from '../../model/properties/compile.ts'
import { parseJsonCell, valueTypes } from '../../model/value-types.ts'
import { recordRules } from '../../records/record-rules.ts'
import { clearWhenEmpty, type ImportTarget, ignoredCell, ignoreTimes } from './target.ts'

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
      if (!names.has(first) && shownNames.has(first)) return ignoredCell
      const property = leaves.find(({ name }) => name === column)
      if (property) return clearWhenEmpty(valueTypes[property.type].parseCell)
      return names.has(column) ? clearWhenEmpty(parseJsonCell) : undefined
    },
  })
}
