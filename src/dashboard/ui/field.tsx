import type { Child } from 'hono/jsx'

type FieldProps = {
  label: string
  name: string
  /** What is wrong with what was given; said at the field. */
  error?: string | undefined
  help?: string | undefined
  /** The control, given the attributes that tie it to its label's words. */
  children: (attributes: ControlAttributes) => Child
}

type ControlAttributes = {
  id: string
  name: string
  'aria-describedby'?: string
  'aria-invalid'?: 'true'
}

/** A control of a form with its label, what helps to fill it in, and what is wrong with it. */
export function Field({ label, name, error, help, children }: FieldProps) {
  const id = `field-${name}`
  const descriptionIds = [help && `${id}-help`, error && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        name,
        ...(descriptionIds && { 'aria-describedby': descriptionIds }),
        ...(error && { 'aria-invalid': 'true' }),
      })}
      {help && <small id={`${id}-help`}>{help}</small>}
      {error && (
        <span class="fault" id={`${id}-fault`}>
          {error}
        </span>
      )}
    </div>
  )
}
