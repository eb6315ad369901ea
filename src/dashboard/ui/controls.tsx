import type { Child } from 'hono/jsx'
import type { Option } from '../../model/value-types.ts'

type LabelledFieldProps = {
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
export function LabelledField({ label, name, error, help, children }: LabelledFieldProps) {
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

type SelectFieldProps = Omit<LabelledFieldProps, 'children'> & {
  options: readonly Option[]
  selected: string
}

/** Renders a select with its label, help text and error. */
export const SelectField = ({ options, selected, ...field }: SelectFieldProps) => (
  <LabelledField {...field}>
    {(attributes) => <Select options={options} selected={selected} attributes={attributes} />}
  </LabelledField>
)

/** Options below a heading in a select. */
export type OptionGroup = { label: string; options: readonly Option[] }

type SelectProps = {
  options?: readonly Option[]
  groups?: readonly OptionGroup[]
  selected: string
  attributes: Readonly<Record<string, string>>
}

/** Renders a select without a label. */
export const Select = ({ options = [], groups = [], selected, attributes }: SelectProps) => (
  <select {...attributes}>
    <Options options={options} selected={selected} />
    {groups.map(({ label, options }) => (
      <optgroup label={label}>
        <Options options={options} selected={selected} />
      </optgroup>
    ))}
  </select>
)

const Options = ({ options, selected }: { options: readonly Option[]; selected: string }) => (
  <>
    {options.map(({ value, label }) => (
      <option value={value} selected={value === selected}>
        {label}
      </option>
    ))}
  </>
)

/** The option for no value. */
export const noOption: Option = { value: '', label: '–' }

type RadioGroupProps = {
  legend: string
  /** Whether a heading beside the group has the same words. */
  isLegendHidden?: boolean
  name: string
  options: readonly (Option & { hint?: string })[]
  checkedValue: string
  error?: string | undefined
}

/** Renders radio buttons with a legend. */
export function RadioGroup(props: RadioGroupProps) {
  const { legend, isLegendHidden = false, name, options, checkedValue, error } = props
  const id = `field-${name}`
  return (
    <fieldset class="field" id={id} aria-describedby={error && `${id}-error`}>
      <legend class={isLegendHidden ? 'visually-hidden' : undefined}>{legend}</legend>
      <FieldError id={id} message={error} />
      {options.map(({ value, label, hint }) => (
        <label class="choice">
          <input type="radio" name={name} value={value} checked={value === checkedValue} />
          <span>
            {label}
            {hint && <small>{hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

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
