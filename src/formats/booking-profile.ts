import { isPostcodeField } from '../geography/enrichment.ts'
import type { Field } from '../model/schema.ts'

/** The fields of a booking's profile where none are asked for (contract 4.3). */
export const defaultProfileFields = ['Full Name', 'Postcode', 'Email', 'Phone'] as const

/**
 * The ids of a schema's own default fields: where none is called as one of the four, the first of
 * that kind takes the place, by its type or by what it is called (decisions 7).
 */
export function findDefaultFields(fields: readonly Field[]): string[] {
  const valueFields = fields.filter(({ type }) => type !== 'divider')
  return defaultProfileFields.flatMap((id) =>
    valueFields.some((field) => field.id === id) ? [id] : findLikelyFields[id](valueFields),
  )
}

type Default = (typeof defaultProfileFields)[number]

const findLikelyFields: Record<Default, (fields: readonly Field[]) => string[]> = {
  'Full Name': (fields) =>
    findFirst(fields, hasName('fullname', 'name')) ?? [
      ...(findFirst(fields, hasName('firstname', 'forename', 'givenname')) ?? []),
      ...(findFirst(fields, hasName('surname', 'lastname', 'familyname')) ?? []),
    ],
  Postcode: (fields) =>
    findFirst(fields, isPostcodeField) ?? findFirst(fields, hasName('postcode')) ?? [],
  Email: (fields) =>
    findFirst(fields, ({ type }) => type === 'email') ??
    findFirst(fields, hasName('email', 'emailaddress')) ??
    [],
  Phone: (fields) =>
    findFirst(fields, ({ type }) => type === 'phone' || type === 'phoneNumber') ??
    findFirst(
      fields,
      hasName('phone', 'phonenumber', 'telephone', 'telephonenumber', 'mobile', 'mobilephone'),
    ) ??
    [],
}

function findFirst(fields: readonly Field[], isLikely: (field: Field) => boolean) {
  const field = fields.find(isLikely)
  return field && [field.id]
}

/** Whether a field is called so by its id, name or label, whatever the case, spaces and punctuation. */
const hasName =
  (...names: string[]) =>
  ({ id, name, label }: Field) =>
    [id, name, label].some((text) =>
      names.includes(text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')),
    )
