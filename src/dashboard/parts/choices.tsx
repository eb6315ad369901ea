import type { Child } from 'hono/jsx'

type ChoicesProps = {
  legend: string
  name: string
  /** What is wrong with what was ticked; said below it. */
  fault?: string | undefined
  children: Child
}

/** Boxes to tick that belong together, each in its label. */
export function Choices({ legend, name, fault, children }: ChoicesProps) {
  const id = `field-${name}-fault`
  return (
    <fieldset class="field" aria-describedby={fault && id}>
      <legend>{legend}</legend>
      <div class="choices">{children}</div>
      {fault && (
        <span class="fault" id={id}>
          {fault}
        </span>
      )}
    </fieldset>
  )
}

type TickProps = { name: string; value: string; ticked: readonly unknown[]; label: string }

/** One of the boxes; ticked if its value is among those that are. */
export function Tick({ name, value, ticked, label }: TickProps) {
  return (
    <label>
      <input type="checkbox" name={name} value={value} checked={ticked.includes(value)} />
      {label}
    </label>
  )
}
