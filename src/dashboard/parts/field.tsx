import type { Child } from 'hono/jsx'

type FieldProps = {
  label: string
  name: string
  /** What is wrong with what was given; said at the field. */
  fault?: string | undefined
  help?: string | undefined
  /** The control, given the attributes that tie it to its label's words. */
  children: (tied: Tied) => Child
}

type Tied = { id: string; name: string; 'aria-describedby'?: string; 'aria-invalid'?: 'true' }

/** A control of a form with its label, what helps to fill it in, and what is wrong with it. */
export function Field({ label, name, fault, help, children }: FieldProps) {
  const id = `field-${name}`
  const describing = [help && `${id}-help`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        name,
        ...(describing && { 'aria-describedby': describing }),
        ...(fault && { 'aria-invalid': 'true' }),
      })}
      {help && <small id={`${id}-help`}>{help}</small>}
      {fault && (
        <span class="fault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </div>
  )
}
