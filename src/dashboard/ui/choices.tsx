import type { Child } from 'hono/jsx'

type CheckboxGroupProps = {
  legend: string
  name: string
  /** What is wrong with what was ticked; said below it. */
  error?: string | undefined
  children: Child
}

/** Boxes to tick that belong together, each in its label. */
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

/** One of the boxes; ticked if its value is among those that are. */
export function Checkbox({ name, value, checkedValues, label }: CheckboxProps) {
  return (
    <label>
      <input type="checkbox" name={name} value={value} checked={checkedValues.includes(value)} />
      {label}
    </label>
  )
}
