import { derivedFieldIds } from '../geography/enrichment.ts'
import { type Kind, kinds, type Schema } from '../model/schema.ts'
import { personRules } from '../records/person-rules.ts'
import { cells } from './cells.ts'
import { type Target, withoutTimes } from './target.ts'

/** People of a kind by the organisation's schema, flat or as the API shows them. */
export function personTarget(kind: Kind, schema: Schema): Target {
  const { id: idName } = kinds[kind]
  const derived = derivedFieldIds(schema.fields)
  return withoutTimes({
    ...personRules(kind, schema),
    plural: kind,
    nested: false,
    cell(column) {
      if (column === idName) return cells.text
      const field =
        schema.fields.find(({ id }) => id === column) ??
        schema.fields.find(({ name }) => name === column)
      if (!field) return undefined
      if (derived.has(field.id)) return cells.shown
      if (field.type === 'divider') return cells.divider
      if (field.type === 'number' || field.type === 'boolean') return cells[field.type]
      return field.type === 'multipleSelect' || field.type === 'tags' ? cells.list : cells.text
    },
  })
}
