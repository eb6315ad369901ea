import { listChoices } from '../../../import/candidates/parse-choice.ts'
import type { Inspection } from '../../../import/mapping/inspect-file.ts'
import type { MappedColumn, Mapping } from '../../../import/mapping/mapping.ts'
import type { TargetField } from '../../../import/mapping/target-fields.ts'
import { normaliseKey } from '../../../import/parse/text.ts'
import type { ImportForm } from '../steps/import-form.ts'
import { parseTexts } from './row-answers-form.ts'

/** The names of the form fields for a column's texts, and for the value of one. */
export const textsField = (column: number) => `texts.${column}`
export const valueField = (column: number, index: number) => `value.${column}.${index}`

/** The name of the buttons that add a text as an option. Their value is that of the text's field. */
export const addField = 'add'

/** The answers besides the choices of a field: an option to add, and no value. */
export const addOption = 'add'
export const noValue = 'none'
export const chosenValue = (value: string) => `=${value}`

/** The answer that a mapping has for a text; '' for none. */
export function currentAnswer(mapping: Mapping, column: MappedColumn, text: string): string {
  const value = column.values?.[normaliseKey(text)]
  if (value === undefined) return ''
  if (value === null) return noValue
  return mapping.options?.[column.field ?? '']?.includes(value) ? addOption : chosenValue(value)
}

/** A mapping with the values that the form chooses for texts of the file. */
export function applyValues(
  form: ImportForm,
  mapping: Mapping,
  { table, targetFields, schema }: Inspection,
): Mapping {
  const options = new Map(Object.entries(mapping.options ?? {}))
  const columns = mapping.columns.map((column) => {
    const index = table.headings.indexOf(column.heading)
    const texts = parseTexts(form.get(textsField(index)))
    const targetField = targetFields.find(({ path }) => path === column.field)
    if (texts.length === 0 || !targetField) return column
    const values = new Map(Object.entries(column.values ?? {}))
    const added = new Set(options.get(targetField.path))
    for (const [position, text] of texts.entries()) {
      const name = valueField(index, position)
      const answer = form.get(addField) === name ? addOption : form.get(name)
      const value = parseAnswer(answer, text, targetField, schema !== undefined)
      values.delete(normaliseKey(text))
      added.delete(text)
      if (value !== undefined) values.set(normaliseKey(text), value)
      if (answer === addOption && value) added.add(value)
    }
    options.set(targetField.path, [...added])
    const { values: _, ...rest } = column
    return values.size > 0 ? { ...rest, values: Object.fromEntries(values) } : rest
  })
  const added = [...options].filter(([, texts]) => texts.length > 0)
  const { options: _, ...rest } = mapping
  return { ...rest, columns, ...(added.length > 0 && { options: Object.fromEntries(added) }) }
}

/** The value of an answer; undefined without one. */
function parseAnswer(
  answer: string,
  text: string,
  targetField: TargetField,
  hasOpenSchema: boolean,
): string | null | undefined {
  if (answer === noValue) return null
  if (answer === addOption) return hasOpenSchema && targetField.as !== 'boolean' ? text : undefined
  return listChoices(targetField)?.find(({ value }) => chosenValue(value) === answer)?.value
}
