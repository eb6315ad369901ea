import { maxFormFields } from '../../http/field-groups.ts'
import { lookupsFor } from '../../import/apply/links.ts'
import type { ColumnTarget } from '../../import/infer/change-mapping.ts'
import type { Lookup } from '../../import/infer/known-headings.ts'
import type { TargetField } from '../../import/infer/target-fields.ts'
import { type Field, fieldTypes } from '../../model/schema.ts'
import { toWords } from '../ui/words.ts'

/** A choice that a select offers. */
export type Option = { value: string; label: string }

export const nowhere = 'nowhere'
export const newField = 'new'

/** What a form says for a goal: a new field has its label, type and options in fields of their own. */
export function formatTarget(target: ColumnTarget): string {
  if (target === 'nowhere') return nowhere
  if ('field' in target) return newField
  return `${target.by ?? ''}:${target.path}`
}

/** The places where a column can go as a select offers them; a link once for each way to find the record. */
export function buildTargetOptions(targetFields: readonly TargetField[]): Option[] {
  return targetFields
    .filter(({ isId }) => !isId)
    .flatMap((targetField): Option[] => {
      const { path, reference } = targetField
      const label = targetLabel(targetField)
      if (!reference) return [{ value: formatTarget({ path }), label }]
      return lookupsFor(reference.to).map((by) => ({
        value: formatTarget({ path, by }),
        label: `${label}, found by ${lookupLabels[by]}`,
      }))
    })
}

/** A place as people call it: a field by its label, a property by its path in words. */
export const targetLabel = ({ path, names }: TargetField): string =>
  names[2] ??
  path
    .split('.')
    .map((name, index) => (index === 0 ? toWords(name) : toWords(name).toLowerCase()))
    .join(', ')

const lookupLabels: Readonly<Record<Lookup, string>> = {
  id: 'its id',
  name: 'its name',
  email: 'e-mail address',
}

/** The goal that such a value says; undefined where there is no such place. */
export function parseTarget(
  value: string,
  targetFields: readonly TargetField[],
): ColumnTarget | undefined {
  if (value === nowhere) return 'nowhere'
  const [, by = '', path] = /^(\w*):(.*)$/s.exec(value) ?? []
  const targetField = targetFields.find((candidate) => candidate.path === path && !candidate.isId)
  if (!targetField) return undefined
  if (!targetField.reference) return by === '' ? { path: targetField.path } : undefined
  const lookup = lookupsFor(targetField.reference.to).find((candidate) => candidate === by)
  return lookup && { path: targetField.path, by: lookup }
}

/** How many columns the page of a file can show: each has a field of the form, and the rest of the page needs a few. */
export const maxColumns = maxFormFields - 50

/** Whether the page has room for a label, a type and options beside each of so many columns. */
export const canDescribeFields = (columns: number) => columns * 4 <= maxColumns

/** The types that a new field may be given, in words. */
export const newFieldTypes: Readonly<Partial<Record<Field['type'], string>>> = {
  text: 'Text',
  number: 'A number',
  date: 'A date',
  boolean: 'Yes or no',
  select: 'One of a list',
  selectAndOther: 'One of a list, or something else',
  multipleSelect: 'Several of a list',
  tags: 'Tags',
  email: 'An e-mail address',
  phone: 'A phone number',
  postcode: 'A postcode',
  country: 'A country',
  uniqueId: 'An id that nobody shares',
}

/** Whether fields of a type have a list of options. */
export const hasOptions = (type: string) =>
  ['select', 'selectAndOther', 'multipleSelect', 'tags'].includes(type)

/** A new field as a form says it, in place of the one that was proposed. */
export function parseNewField(
  proposed: Field,
  input: { label: string; type: string; options: string },
): { field: Field } | { error: string } {
  const label = input.label.trim()
  if (label === '') return { error: 'must have a label.' }
  const type = fieldTypes.find(
    (candidate) => candidate === input.type && newFieldTypes[candidate] !== undefined,
  )
  if (!type) return { error: 'must be of one of the types.' }
  const { options: _, ...field } = { ...proposed, label: label.slice(0, 200), type }
  if (!hasOptions(type)) return { field }
  const values = input.options
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  if (values.length === 0) {
    return type === 'tags' ? { field } : { error: 'must have options, one on each line.' }
  }
  const options = [...new Set(values)].map(
    (value) =>
      proposed.options?.find((option) => option.value === value) ?? { value, label: value },
  )
  return { field: { ...field, options } }
}
