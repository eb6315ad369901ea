import { maxFormFields } from '../../../http/body.ts'
import type { ColumnTarget } from '../../../import/mapping/change-mapping.ts'
import { lookupsFor } from '../../../import/mapping/lookups.ts'
import type { Lookup } from '../../../import/mapping/mapping.ts'
import type { TargetField } from '../../../import/mapping/target-fields.ts'
import { toLabel } from '../../../model/properties/compile.ts'
import { fieldTypeNames, fieldTypes } from '../../../model/properties/field-types.ts'
import type { Field } from '../../../model/properties/schema.ts'
import type { Option } from '../../../model/value-types.ts'
import { findLabel } from '../../collections/collections.ts'

export const omitted = 'omit'
export const newField = 'new'
/** A column about consent that a person decided to leave out. */
export const leftOutByChoice = 'left-out'

/** Formats a column's target as a form value. A new field has separate inputs for its label, type and options. */
export function formatTarget(target: ColumnTarget): string {
  if (target === 'nowhere') return omitted
  if ('field' in target) return newField
  return `${target.by ?? ''}:${target.path}`
}

/** Builds the options for a column's target. A reference has one option for each way to look up its record. */
export function buildTargetOptions(
  targetFields: readonly TargetField[],
  collection: string,
): Option[] {
  return targetFields
    .filter(({ isId }) => !isId)
    .flatMap((targetField): Option[] => {
      const { path, reference } = targetField
      const label = targetLabel(targetField, collection)
      if (!reference) return [{ value: formatTarget({ path }), label }]
      return lookupsFor(reference.to).map((by) => ({
        value: formatTarget({ path, by }),
        label: `${label}, by ${lookupLabels[by]}`,
      }))
    })
}

/** A field's label, or a property's path in words. */
export const targetLabel = ({ path, label }: TargetField, collection: string): string =>
  label ??
  findLabel(collection, path) ??
  path
    .split('.')
    .map((name, index) => (index === 0 ? toLabel(name) : toLabel(name).toLowerCase()))
    .join(', ')

const lookupLabels: Readonly<Record<Lookup, string>> = {
  id: 'id',
  name: 'name',
  email: 'e-mail address',
}

/** Parses a form value as a target. Returns undefined for an unknown one. */
export function parseTarget(
  value: string,
  targetFields: readonly TargetField[],
): ColumnTarget | undefined {
  if (value === omitted) return 'nowhere'
  const [, by = '', path] = /^(\w*):(.*)$/s.exec(value) ?? []
  const targetField = targetFields.find((candidate) => candidate.path === path && !candidate.isId)
  if (!targetField) return undefined
  if (!targetField.reference) return by === '' ? { path: targetField.path } : undefined
  const lookup = lookupsFor(targetField.reference.to).find((candidate) => candidate === by)
  return lookup && { path: targetField.path, by: lookup }
}

/** The maximum number of columns on the review page. Each takes one of a form's fields; questions and changes take up to 400. */
export const maxReviewColumns = maxFormFields - 400

/** Whether the form has room for a label, type and options for every column. */
export const canDescribeFields = (columns: number) => columns * 4 <= maxReviewColumns

/** The possible types of a new field. */
export const newFieldTypes = fieldTypeNames.filter((type) => {
  const { value, isLegacy } = fieldTypes[type]
  return value !== undefined && !isLegacy
})

/** Parses the form's description of a new field. */
export function parseNewField(
  proposed: Field,
  input: { label: string; type: string; options: string },
): { field: Field } | { error: string } {
  const label = input.label.trim()
  if (label === '') return { error: 'must have a label.' }
  const type = newFieldTypes.find((candidate) => candidate === input.type)
  if (!type) return { error: 'must have one of the offered types.' }
  const { options: _, ...field } = { ...proposed, label: label.slice(0, 200), type }
  const { options: offered } = fieldTypes[type]
  if (!offered) return { field }
  const values = input.options
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  if (values.length === 0) {
    return offered === 'optional' ? { field } : { error: 'must have options, one per line.' }
  }
  const options = [...new Set(values)].map(
    (value) =>
      proposed.options?.find((option) => option.value === value) ?? { value, label: value },
  )
  return { field: { ...field, options } }
}
