import type { Child } from 'hono/jsx'
import type { Option } from '../../model/value-types.ts'
import { CheckboxGroup, LabelledField, type OptionGroup, RadioGroup, Select } from './controls.tsx'
import {
  type FieldErrors,
  type FieldNames,
  type FieldValues,
  parseFieldValues,
  textOf,
  textsOf,
} from './form-values.ts'

/** A field of a form. Its control follows from its properties: by default an input. */
export type FormField = {
  name: string
  label: string
  /** What the summary of errors calls it, where its label is too long. */
  summaryLabel?: string
  help?: string | undefined
  /** Makes it a select, with `hasSeveral` checkboxes, and with `hasRadios` radio buttons. */
  options?: readonly (Option & { hint?: string })[]
  hasSeveral?: boolean
  hasRadios?: boolean
  /** Whether a heading beside a group of options has the words of its label. */
  isLabelHidden?: boolean
  /** Makes it a select with headings. */
  groups?: readonly OptionGroup[]
  /** Makes it a single checkbox with this value. */
  tickedValue?: string
  /** Makes it a text area. */
  isLong?: boolean
  /** Shows the currency before the input. */
  isMoney?: boolean
  /** Further attributes of an input or text area. */
  attributes?: Readonly<Record<string, string | number | boolean | undefined>>
}

export type FieldControlProps = { values: FieldValues; errors: FieldErrors }

/** A control that declared properties cannot describe: one or several fields. */
export type CustomField = FieldNames & {
  label: string
  summaryLabel?: string
  Control(props: FieldControlProps): Child
}

/** What a form asks. */
export type FormItem = FormField | CustomField

const isCustom = (item: FormItem): item is CustomField => 'Control' in item

/** The names of an item's fields. */
export const fieldNamesOf = (item: FormItem): FieldNames =>
  isCustom(item) ? item : { names: [item.name], lists: item.hasSeveral ? [item.name] : [] }

/** The values of a submitted form. */
export const readItems = (
  items: readonly FormItem[],
  submitted: Readonly<Record<string, unknown>>,
) => parseFieldValues(items.map(fieldNamesOf), submitted)

type FieldsProps = { fields: readonly FormItem[] } & FieldControlProps

/** Renders the fields of a form. */
export const Fields = ({ fields, values, errors }: FieldsProps) => (
  <>
    {fields.map((item) =>
      isCustom(item) ? (
        <item.Control values={values} errors={errors} />
      ) : (
        <FormFieldControl field={item} values={values} errors={errors} />
      ),
    )}
  </>
)

/** Renders a field with its value and error. */
export function FormFieldControl({
  field,
  values,
  errors,
}: FieldControlProps & { field: FormField }) {
  const { name, label, help, options, groups, hasSeveral, hasRadios, tickedValue } = field
  const error = errors[name]
  const text = textOf(values, name)
  if (options && hasSeveral)
    return (
      <CheckboxGroup
        legend={label}
        name={name}
        options={options}
        checkedValues={textsOf(values, name)}
        error={error}
      />
    )
  if (options && hasRadios)
    return (
      <RadioGroup
        legend={label}
        isLegendHidden={field.isLabelHidden ?? false}
        name={name}
        options={options}
        checkedValue={text}
        error={error}
      />
    )
  if (tickedValue !== undefined)
    return (
      <label class="choice">
        <input
          type="checkbox"
          id={`field-${name}`}
          name={name}
          value={tickedValue}
          checked={text === tickedValue}
        />
        <span>
          {label}
          {help && <small>{help}</small>}
        </span>
      </label>
    )
  return (
    <LabelledField label={label} name={name} error={error} help={help}>
      {(linked) =>
        options || groups ? (
          <Select
            options={options ?? []}
            groups={groups ?? []}
            selected={text}
            attributes={linked}
          />
        ) : (
          <TextControl field={field} text={text} linked={linked} />
        )
      }
    </LabelledField>
  )
}

type TextControlProps = {
  field: FormField
  text: string
  linked: Readonly<Record<string, string>>
}

function TextControl({ field, text, linked }: TextControlProps) {
  const { isLong, isMoney, attributes } = field
  if (isLong)
    return (
      <textarea {...linked} {...attributes}>
        {text}
      </textarea>
    )
  const input = <input {...linked} {...attributes} value={text} />
  if (!isMoney) return input
  return (
    <div class="money narrow">
      <span aria-hidden="true">£</span>
      {input}
    </div>
  )
}
