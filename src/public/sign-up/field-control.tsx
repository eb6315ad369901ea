import { fieldTypes, valueTypeOf } from '../../model/properties/field-types.ts'
import type { Field } from '../../model/properties/schema.ts'
import { valueTypes } from '../../model/value-types.ts'
import type { SignUpField } from '../../sign-up/form.ts'
import { texts } from '../../texts/texts.ts'
import {
  Choices,
  DateInput,
  type PublicControlProps,
  SelectInput,
  TextArea,
  TextInput,
} from '../ui/form.tsx'
import type { FormValues } from '../ui/form-values.ts'

/** More options than these are a list to choose from, not radio buttons. */
const maxRadioButtons = 8

const yesOrNo = () => [
  { value: 'true', label: texts.yes },
  { value: 'false', label: texts.no },
]

type FieldControlProps = Pick<PublicControlProps, 'name' | 'values' | 'errors'> & {
  field: SignUpField
}

/** Renders the control for a field of the members' schema. */
export function FieldControl({ field, ...rest }: FieldControlProps) {
  const { label, required, type, options = [] } = field
  const control = { ...rest, label, isRequired: required }
  switch (valueTypeOf(field)) {
    case 'date':
      return <DateInput {...control} />
    case 'boolean':
      return <Choices {...control} type="radio" options={yesOrNo()} />
    case 'option':
      return options.length > maxRadioButtons ? (
        <SelectInput {...control} options={options} />
      ) : (
        <Choices {...control} type="radio" options={options} />
      )
    case 'options':
      return <Choices {...control} type="checkbox" options={options} />
    case 'list':
      return options.length > 0 ? (
        <Choices {...control} type="checkbox" options={options} />
      ) : (
        <TextArea {...control} hint={texts.controls.listHint} />
      )
    default:
      return (
        <TextInput
          {...control}
          hint={
            fieldTypes[type].allowsOther && texts.controls.examples(options.map((it) => it.label))
          }
          attributes={valueTypes[valueTypeOf(field)].control?.attributes ?? {}}
        />
      )
  }
}

/** The value of a field in a form: null for an empty one, and the text if it is invalid. */
export function readFieldValue(field: SignUpField, values: FormValues, name: string): unknown {
  const type = valueTypeOf(field)
  if (type === 'date') return values.day(name) || null
  if (hasOptionList(field)) return [...values.list(name)]
  const text = values.text(name)
  const parsed = valueTypes[type].formText?.parse(text)
  return parsed && 'value' in parsed ? parsed.value : text
}

/** The values of a field's controls for a value. */
export function toControlValues(
  field: SignUpField,
  value: unknown,
  name: string,
): [string, readonly string[]][] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value) && hasOptionList(field)) return [[name, value.map(String)]]
  const text = valueTypes[valueTypeOf(field)].formText?.format(value) ?? String(value)
  if (valueTypeOf(field) !== 'date') return [[name, [text]]]
  const [year = '', month = '', day = ''] = text.split('-')
  return [
    [`${name}.day`, [day]],
    [`${name}.month`, [month]],
    [`${name}.year`, [year]],
  ]
}

/** Whether the controls of a field are checkboxes. */
const hasOptionList = (field: SignUpField) => {
  const type = valueTypeOf(field)
  return type === 'options' || (type === 'list' && (field.options ?? []).length > 0)
}

/** A value as people read it, or '' for an empty one. */
export function formatFieldValue({ type, options = [] }: Field, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map((it) => labelOf(options, it)).join(', ')
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  return type === 'date' ? texts.dates.formatDay(String(value)) : labelOf(options, value)
}

const labelOf = (options: NonNullable<Field['options']>, value: unknown) =>
  options.find((option) => option.value === value)?.label ?? String(value)
