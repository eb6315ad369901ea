import { findOwnFields } from '../../model/properties/own-details.ts'
import { isConsent, typeHolds, usualName } from '../../model/properties/recognise.ts'
import type { Field } from '../../model/properties/schema.ts'
import type { FieldColumns } from '../../store/summary/read-values.ts'

/** A detail that people should have. A person has it with a value in any of its fields. */
export type PersonDetail = {
  label: string
  /** The detail after "without", such as "a postcode". */
  words: string
  fields: readonly Field[]
}

// Together at most 12 fields, which one statement can read.
const maxFields = 2
const maxConsents = 6

/** The details that the fields of a schema can hold. */
export function listDetails(fields: readonly Field[]): PersonDetail[] {
  const { emails, phones, birthDates } = findOwnFields(fields)
  return [
    { label: 'E-mail address', words: 'an e-mail address', fields: emails.slice(0, maxFields) },
    { label: 'Phone', words: 'a phone number', fields: phones.slice(0, maxFields) },
    { label: 'Postcode', words: 'a postcode', fields: findPostcodes(fields) },
    { label: 'Date of birth', words: 'a date of birth', fields: birthDates.slice(0, 1) },
    ...fields
      .filter(isConsent)
      .slice(0, maxConsents)
      .map((field) => ({
        label: field.label,
        words: `an answer to “${field.label}”`,
        fields: [field],
      })),
  ].filter((detail) => detail.fields.length > 0)
}

/** A person's own postcode; without one of this name, the first postcode. */
function findPostcodes(fields: readonly Field[]): Field[] {
  const postcodes = fields.filter((field) => typeHolds('postcode', field))
  const own = postcodes.filter(({ name, label }) =>
    [name, label].some((text) => usualName(text) === 'Postcode'),
  )
  return [...own, ...postcodes].slice(0, 1)
}

/** Whether a person, by number, has a detail. */
export const hasDetail = (
  fields: PersonDetail['fields'],
  columns: FieldColumns['columns'],
  person: number,
): boolean => fields.some(({ id }) => (columns.get(id)?.codesOf(person).length ?? 0) > 0)
