import type { Context } from 'hono'
import { compileFields } from '../../model/properties/compile.ts'
import type { SignUpField } from '../../sign-up/form.ts'
import {
  buildPatch,
  type FormValues,
  PropertyField,
  parseFormValues,
  parseValue,
} from '../records/record-form.tsx'
import type { DashboardEnv } from '../session/signed-in.ts'
import { registerPath } from '../ui/paths.ts'

export type WalkInFormProps = {
  c: Context<DashboardEnv>
  eventId: string
  fields: readonly SignUpField[]
  values?: FormValues
  errors?: Readonly<Record<string, string>>
}

/** Renders the form for somebody who came without a booking. */
export function WalkInForm({ c, eventId, fields, values = {}, errors = {} }: WalkInFormProps) {
  const [general] = Object.entries(errors).filter(([name]) => !fields.some(({ id }) => id === name))
  return (
    <section id="walk-in">
      <h2>Add a walk-in</h2>
      <p class="small">Adds somebody who came without a booking. Only the name is required.</p>
      <p role="alert" data-walk-in-error hidden={Object.keys(errors).length === 0}>
        Nobody was added. {general?.[1] ?? 'Correct the errors below.'}
      </p>
      <form method="post" action={`${registerPath(c, eventId)}/walk-in`} data-walk-in>
        <input type="hidden" name="$key" value={crypto.randomUUID()} />
        <fieldset class="field-grid">
          {compileFields([...fields]).map((property) => (
            <PropertyField
              property={property}
              value={values[property.name]}
              error={errors[property.name]}
            />
          ))}
        </fieldset>
        <button type="submit" class="secondary">
          Add
        </button>
      </form>
    </section>
  )
}

/** Returns the values of a submitted form as typed, and parsed by field or with an error. */
export function parseWalkIn(
  fields: readonly SignUpField[],
  submitted: Readonly<Record<string, unknown>>,
) {
  const properties = compileFields([...fields])
  const typed = parseFormValues(properties, submitted)
  const errors: Record<string, string> = {}
  const changes = properties.flatMap((property) => {
    const parsed = parseValue(property, typed)
    if ('value' in parsed) return [{ path: property.path, value: parsed.value }]
    errors[property.name] = parsed.error
    return []
  })
  return { typed, errors, values: buildPatch(changes) }
}
