import { CheckboxGroup, Field, type Option, Select } from './form.tsx'

/** A field of a form. Its control follows from its properties: by default an input. */
export type FormField = {
  name: string
  label: string
  help?: string | undefined
  /** Makes it a select, and with `hasSeveral` checkboxes. */
  options?: readonly Option[]
  hasSeveral?: boolean
  /** Makes it a text area. */
  isLong?: boolean
  /** Shows the currency before the input. */
  isMoney?: boolean
  /** Further attributes of an input or text area. */
  attributes?: Readonly<Record<string, string | number | boolean | undefined>>
}

type FormFieldControlProps = {
  field: FormField
  /** A text, or a list for checkboxes. */
  value: unknown
  error: string | undefined
}

/** Renders a field with its value and error. */
export function FormFieldControl({ field, value, error }: FormFieldControlProps) {
  const { name, label, help, options, hasSeveral, isLong, isMoney, attributes } = field
  if (options && hasSeveral)
    return (
      <CheckboxGroup
        legend={label}
        name={name}
        options={options}
        checkedValues={[value].flat()}
        error={error}
      />
    )
  const text = String(value ?? '')
  return (
    <Field label={label} name={name} error={error} help={help}>
      {(linked) => {
        if (options) return <Select options={options} selected={text} attributes={linked} />
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
      }}
    </Field>
  )
}

type FieldsProps = {
  fields: readonly FormField[]
  values: Readonly<Record<string, unknown>>
  errors?: Readonly<Record<string, string>> | undefined
}

/** Renders the fields of a form. */
export const Fields = ({ fields, values, errors = {} }: FieldsProps) => (
  <>
    {fields.map((field) => (
      <FormFieldControl field={field} value={values[field.name]} error={errors[field.name]} />
    ))}
  </>
)
