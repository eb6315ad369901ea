import { derivedFieldIds } from '../../model/properties/area-fields.ts'
import type { Kind, Schema } from '../../model/properties/schema.ts'
import { kinds } from '../../model/properties/schema.ts'
import { personRules } from '../../records/person-rules.ts'
import { cellParsers, type ImportTarget, ignoreTimes } from './target.ts'

/** People of a kind by the organisation's schema, flat or as the API shows them. */
export function createPersonTarget(kind: Kind, schema: Schema): ImportTarget {
  const { id: idName } = kinds[kind]
  const derived = derivedFieldIds(schema.fields)
  return ignoreTimes({
    ...personRules(kind, schema),
    plural: kind,
    isNested: false,
    cellParser(column) {
      if (column === idName) return cellParsers.text
      const field =
        schema.fields.find(({ id }) => id === column) ??
        schema.fields.find(({ name }) => name === column)
      if (!field) return undefined
      if (derived.has(field.id)) return cellParsers.ignored
      if (field.type === 'divider') return cellParsers.divider
      if (field.type === 'number' || field.type === 'boolean') return cellParsers[field.type]
      return field.type === 'multipleSelect' || field.type === 'tags'
        ? cellParsers.list
        : cellParsers.text
    },
  })
}
