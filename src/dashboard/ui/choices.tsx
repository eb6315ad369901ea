import type { Child } from 'hono/jsx'

type CheckboxGroupProps = {
  legend: string
  name: string
  /** Shown below the checkboxes. */
  error?: string | undefined
  children: Child
}

/** A group of checkboxes with a legend. */
export function CheckboxGroup({ legend, name, error, children }: CheckboxGroupProps) {
  const errorId = `field-${name}-fault`
  return (
    <fieldset class="field" aria-describedby={error && errorId}>
      <legend>{legend}</legend>
      <div class="choices">{children}</div>
      {error && (
        <span class="fault" id={errorId}>
          {error}
        </span>
      )}
    </fieldset>
  )
}

type CheckboxProps = {
  name: string
  value: string
  checkedValues: readonly unknown[]
  label: string
}

/** A checkbox, ticked if `checkedValues` includes its value. */
export function Checkbox({ name, value, checkedValues, label }: CheckboxProps) {
  return (
    <label>
      <input type="checkbox" name={name} value={value} checked={checkedValues.includes(value)} />
      {label}
    </label>
  )
}
