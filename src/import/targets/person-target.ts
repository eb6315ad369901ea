import { derivedFieldIds } from '../../model/properties/area-fields.ts'
import { fieldTypes } from '../../model/properties/field-types.ts'
import { type Kind, kinds, type Schema } from '../../model/properties/schema.ts'
import { valueTypes } from '../../model/value-types.ts'
import { personRules } from '../../records/person-rules.ts'
import {
  clearWhenEmpty,
  dividerCell,
  type ImportTarget,
  ignoredCell,
  ignoreTimes,
} from './target.ts'

/** The target for people of a kind. Accepts flat records and records in the API's format. */
export function createPersonTarget(kind: Kind, schema: Schema): ImportTarget {
  const { id: idName } = kinds[kind]
  const derived = derivedFieldIds(schema.fields)
  return ignoreTimes({
    ...personRules(kind, schema),
    plural: kind,
    isNested: false,
    cellParser(column) {
      if (column === idName) return clearWhenEmpty(valueTypes.text.parseCell)
      const field =
        schema.fields.find(({ id }) => id === column) ??
        schema.fields.find(({ name }) => name === column)
      if (!field) return undefined
      if (derived.has(field.id)) return ignoredCell
      const { value } = fieldTypes[field.type]
      return value ? clearWhenEmpty(valueTypes[value].parseCell) : dividerCell
    },
  })
}
