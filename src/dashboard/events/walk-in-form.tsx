import type { Context } from 'hono'
import { compileFields } from '../../model/properties/compile.ts'
import type { SignUpField } from '../../sign-up/form.ts'
import {
  PropertyControl,
  parseProperty,
  propertyQuestion,
} from '../records/form/property-question.tsx'
import { buildPatch } from '../records/form/question.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Form } from '../ui/form.tsx'
import { type FieldValues, parseFieldValues } from '../ui/form-values.ts'
import { registerPath } from '../ui/paths.ts'

export type WalkInFormProps = {
  c: Context<DashboardEnv>
  eventId: string
  fields: readonly SignUpField[]
  values?: FieldValues
  errors?: Readonly<Record<string, string>>
}

/** Renders the form for somebody who came without a booking. */
export function WalkInForm({ c, eventId, fields, values = {}, errors = {} }: WalkInFormProps) {
  const [general] = Object.entries(errors).filter(([name]) => !fields.some(({ id }) => id === name))
  return (
    <section class="section" id="walk-in">
      <h2>Add a walk-in</h2>
      <p class="quiet">
        Adds somebody who came without a booking as a member. Only the name is required.
      </p>
      <p role="alert" data-walk-in-error hidden={Object.keys(errors).length === 0}>
        Nobody was added. {general?.[1] ?? 'Correct the errors below.'}
      </p>
      <Form
        action={`${registerPath(c, eventId)}/walk-in`}
        hidden={{ $key: crypto.randomUUID() }}
        attributes={{ 'data-walk-in': true }}
      >
        <fieldset class="field-grid after">
          {compileFields([...fields]).map((property) => (
            <PropertyControl property={property} values={values} errors={errors} />
          ))}
        </fieldset>
        <button type="submit" class="button after">
          Add
        </button>
      </Form>
    </section>
  )
}

/** The values of a submitted form as typed, and parsed by field or with an error. */
export function parseWalkIn(
  fields: readonly SignUpField[],
  submitted: Readonly<Record<string, unknown>>,
) {
  const properties = compileFields([...fields])
  const questions = properties.map((property) => propertyQuestion(property))
  const typed = parseFieldValues(questions, submitted)
  const errors: Record<string, string> = {}
  const changes = properties.flatMap((property) => {
    const answer = parseProperty(property, typed)
    if ('changes' in answer) return answer.changes
    Object.assign(errors, answer.errors)
    return []
  })
  return { typed, errors, values: buildPatch(changes) }
}
