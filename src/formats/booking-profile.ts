import { isPostcodeField } from '../model/properties/area-fields.ts'
import { hasValue } from '../model/properties/field-types.ts'
import {
  typeHolds,
  type UsualName,
  unqualifiedName,
  usualName,
} from '../model/properties/recognise.ts'
import type { Field } from '../model/properties/schema.ts'

/** The default fields of a booking's profile. */
export const defaultProfileFields = ['Full Name', 'Postcode', 'Email', 'Phone'] as const

/**
 * Returns the ids of a schema's default profile fields. If the schema lacks one of the default ids,
 * fields with a matching type or name replace it.
 */
export function findDefaultFields(fields: readonly Field[]): string[] {
  const valueFields = fields.filter(hasValue)
  return defaultProfileFields.flatMap((id) =>
    valueFields.some((field) => field.id === id) ? [id] : findLikelyFields[id](valueFields),
  )
}

type Default = (typeof defaultProfileFields)[number]

const findLikelyFields: Record<Default, (fields: readonly Field[]) => string[]> = {
  'Full Name': (fields) => {
    const fullName = findNamed(fields, 'Full Name')
    return fullName.length > 0
      ? fullName
      : [...findNamed(fields, 'First Name'), ...findNamed(fields, 'Surname')]
  },
  Postcode: (fields) => findFirst(fields, isPostcodeField) ?? findNamed(fields, 'Postcode'),
  Email: (fields) =>
    findFirst(fields, (field) => typeHolds('email', field)) ?? findNamed(fields, 'Email'),
  Phone: (fields) =>
    findFirst(fields, (field) => typeHolds('phone', field)) ?? findNamed(fields, 'Phone', 'Mobile'),
}

function findFirst(fields: readonly Field[], isLikely: (field: Field) => boolean) {
  const field = fields.find(isLikely)
  return field && [field.id]
}

/** Returns the id of the first field with one of these usual names. Prefers "Phone" to "Home phone". */
function findNamed(fields: readonly Field[], ...usual: UsualName[]): string[] {
  const findBy = (read: (name: string) => UsualName | undefined) =>
    findFirst(fields, ({ id, name, label }) =>
      [id, name, label].some((text) => usual.some((one) => one === read(text))),
    )
  return findBy(unqualifiedName) ?? findBy(usualName) ?? []
}
