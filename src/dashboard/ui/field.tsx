import type { Child } from 'hono/jsx'

type FieldProps = {
  label: string
  name: string
  /** Shown below the control. */
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

/** A form control with its label, help text and error. */
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
