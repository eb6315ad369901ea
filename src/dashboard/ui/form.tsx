import type { Child } from 'hono/jsx'
import * as z from 'zod'
import { ApiError } from '../../model/api-error.ts'
import type { ValidationError } from '../../model/validation-error.ts'

type FieldProps = {
  label: string
  name: string
  /** Shown above the control. */
  error?: string | undefined
  help?: string | undefined
  /** Renders the control with the attributes that connect it to its label, help and error. */
  children: (attributes: ControlAttributes) => Child
}

type ControlAttributes = {
  id: string
  name: string
  'aria-describedby'?: string
  'aria-invalid'?: 'true'
}

/** Renders a form control with its label, help text and error. */
export function Field({ label, name, error, help, children }: FieldProps) {
  const id = `field-${name}`
  const descriptionIds = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {help && (
        <span class="hint" id={`${id}-help`}>
          {help}
        </span>
      )}
      <FieldError id={id} message={error} />
      {children({
        id,
        name,
        ...(descriptionIds && { 'aria-describedby': descriptionIds }),
        ...(error && { 'aria-invalid': 'true' }),
      })}
    </div>
  )
}

/** Renders the error of the field with this id, if any. */
export function FieldError({ id, message }: { id: string; message: string | undefined }) {
  if (!message) return null
  return (
    <span class="error" id={`${id}-error`}>
      {message}
    </span>
  )
}

/** A value to choose, with its label. */
export type Option = { value: string; label: string }

type SelectFieldProps = Omit<FieldProps, 'children'> & {
  options: readonly Option[]
  selected: string
}

/** Renders a select with its label, help text and error. */
export function SelectField({ options, selected, ...field }: SelectFieldProps) {
  return (
    <Field {...field}>
      {(attributes) => <Select options={options} selected={selected} attributes={attributes} />}
    </Field>
  )
}

type SelectProps = Pick<SelectFieldProps, 'options' | 'selected'> & {
  attributes: Readonly<Record<string, string>>
}

/** Renders a select without a label. */
export function Select({ options, selected, attributes }: SelectProps) {
  return (
    <select {...attributes}>
      {options.map(({ value, label }) => (
        <option value={value} selected={value === selected}>
          {label}
        </option>
      ))}
    </select>
  )
}

/** The option for no value. */
export const noOption: Option = { value: '', label: '–' }

type CheckboxGroupProps = {
  legend: string
  name: string
  options: readonly Option[]
  checkedValues: readonly unknown[]
  /** Shown above the checkboxes. */
  error?: string | undefined
  /** Rendered before the checkboxes. */
  children?: Child
}

/** Renders a group of checkboxes with a legend. */
export function CheckboxGroup(props: CheckboxGroupProps) {
  const { legend, name, options, checkedValues, error, children } = props
  const id = `field-${name}`
  return (
    <fieldset class="field" id={id} aria-describedby={error && `${id}-error`}>
      <legend>{legend}</legend>
      <FieldError id={id} message={error} />
      <div class="checkboxes">
        {children}
        {options.map((option) => (
          <Checkbox name={name} checkedValues={checkedValues} {...option} />
        ))}
      </div>
    </fieldset>
  )
}

type CheckboxProps = {
  name: string
  value: string
  checkedValues: readonly unknown[]
  label: string
}

/** Renders a checkbox, ticked if `checkedValues` includes its value. */
export function Checkbox({ name, value, checkedValues, label }: CheckboxProps) {
  return (
    <label>
      <input type="checkbox" name={name} value={value} checked={checkedValues.includes(value)} />
      {label}
    </label>
  )
}

/** The parser for the ticked values of a checkbox group. Forms send nothing for no value and plain text for a single one. */
export const checkboxValues = z
  .union([z.array(z.string()), z.string().transform((value) => [value])])
  .default(() => [])

/** Joins error messages by form field. `toFieldName` maps an error's path to a form field. */
export function groupErrorsByField(
  errors: readonly ValidationError[],
  toFieldName = firstSegment,
): Record<string, string> {
  const errorsByField = Map.groupBy(errors, ({ field }) => toFieldName(field))
  return Object.fromEntries(
    [...errorsByField].map(([field, fieldErrors]) => [
      field,
      fieldErrors.map(({ message }) => message).join(' '),
    ]),
  )
}

const firstSegment = (path: string) => path.split('.')[0] ?? ''

/** Parses the values that the form was rendered with and sends back. Throws 400 if they are missing or invalid. */
export function parseRenderedValues<Values>(schema: z.ZodType<Values>, text: unknown): Values {
  try {
    return schema.parse(JSON.parse(String(text)))
  } catch {
    throw new ApiError('BAD_REQUEST', 'Part of the form is missing. Open it again.')
  }
}

/** The error of a field that somebody else changed in the meantime. */
export const describeConflict = (currentValue: string) =>
  `Somebody else changed this to: ${currentValue || '(empty)'}`
