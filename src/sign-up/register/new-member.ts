import { nameValues, personName } from '../../model/properties/person-name.ts'
import { typeHolds } from '../../model/properties/recognise.ts'
import type { Schema, Values } from '../../model/properties/schema.ts'
import { toPersonDocument, validatePerson } from '../../records/person.ts'
import { checkSize } from '../../records/rules.ts'
import type { NewDocument } from '../../store/write/put.ts'

/** What a booking says about the person who comes. */
type BookedPerson = {
  name: string
  email: string
  /** The values of a sign-up by field id; undefined for a booking without one. */
  answers: Values | undefined
}

/**
 * Builds the values of the member that a booking creates. Leaves out answers that the schema no longer
 * allows, because nobody at the door can correct them.
 */
export function memberValues(schema: Schema, { name, email, answers }: BookedPerson): Values {
  const { fields } = schema
  const emailField = fields.find((field) => typeHolds('email', field))
  const values = answers ?? (emailField && email !== '' ? { [emailField.id]: email } : {})
  const isNamed = personName(fields, values) !== ''
  return validValues(schema, isNamed ? values : { ...values, ...nameValues(fields, name) })
}

function validValues(schema: Schema, values: Values): Values {
  const valid = Object.entries(values).filter(
    ([id, value]) => 'value' in validatePerson('members', schema, { [id]: value }),
  )
  const checked = validatePerson('members', schema, Object.fromEntries(valid))
  return 'value' in checked ? checked.value : {}
}

/** A new member's document; undefined without values, or if it would be too large. */
export function buildMember(values: Values): NewDocument | undefined {
  if (Object.keys(values).length === 0) return undefined
  const id = crypto.randomUUID()
  const checked = checkSize(id, toPersonDocument('members', id, values))
  return 'value' in checked ? checked.value : undefined
}
