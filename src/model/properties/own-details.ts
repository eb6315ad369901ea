import { isFreeText } from './field-types.ts'
import { nameFields } from './person-name.ts'
import { typeHolds, type UsualName, usualName } from './recognise.ts'
import type { Field } from './schema.ts'

/** The fields of a person's own details, rather than those of a parent or an emergency contact. */
export type OwnFields = {
  names: readonly Field[]
  emails: readonly Field[]
  phones: readonly Field[]
  birthDates: readonly Field[]
}

/** Schemas may have hundreds of fields. */
const maxFields = 4

/** Finds the fields of a person's own details by their names; otherwise the first e-mail and phone field. */
export function findOwnFields(fields: readonly Field[]): OwnFields {
  const find = (names: readonly UsualName[], matches: (field: Field) => boolean) =>
    fields
      .filter(
        (field) =>
          matches(field) &&
          [field.id, field.name, field.label].some((text) => {
            const usual = usualName(text)
            return usual !== undefined && names.includes(usual)
          }),
      )
      .slice(0, maxFields)
  const findContact = (detail: 'email' | 'phone', names: readonly UsualName[]) => {
    const named = find(names, (field) => typeHolds(detail, field) || isFreeText(field))
    return named.length > 0 ? named : fields.filter((field) => typeHolds(detail, field)).slice(0, 1)
  }
  return {
    names: nameFields(fields),
    emails: findContact('email', ['Email']),
    phones: findContact('phone', ['Phone', 'Mobile']),
    birthDates: find(['Date of Birth'], (field) => field.type === 'date' || isFreeText(field)),
  }
}
