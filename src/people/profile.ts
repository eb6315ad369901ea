import { isPostcodeField } from '../geography/enrichment.ts'
import type { Field } from '../model/schema.ts'

/** The fields of a booking's profile where none are asked for (contract 4.3). */
export const defaultProfileFields = ['Full Name', 'Postcode', 'Email', 'Phone'] as const

/**
 * The ids of a schema's own default fields: where none is called as one of the four, the first of
 * that kind takes the place, by its type or by what it is called (decisions 7).
 */
export function defaultsOf(fields: readonly Field[]): string[] {
  const holding = fields.filter(({ type }) => type !== 'divider')
  return defaultProfileFields.flatMap((id) =>
    holding.some((field) => field.id === id) ? [id] : likely[id](holding),
  )
}

type Default = (typeof defaultProfileFields)[number]

const likely: Record<Default, (fields: readonly Field[]) => string[]> = {
  'Full Name': (fields) =>
    first(fields, called('fullname', 'name')) ?? [
      ...(first(fields, called('firstname', 'forename', 'givenname')) ?? []),
      ...(first(fields, called('surname', 'lastname', 'familyname')) ?? []),
    ],
  Postcode: (fields) => first(fields, isPostcodeField) ?? first(fields, called('postcode')) ?? [],
  Email: (fields) =>
    first(fields, ({ type }) => type === 'email') ??
    first(fields, called('email', 'emailaddress')) ??
    [],
  Phone: (fields) =>
    first(fields, ({ type }) => type === 'phone' || type === 'phoneNumber') ??
    first(
      fields,
      called('phone', 'phonenumber', 'telephone', 'telephonenumber', 'mobile', 'mobilephone'),
    ) ??
    [],
}

function first(fields: readonly Field[], isLikely: (field: Field) => boolean) {
  const found = fields.find(isLikely)
  return found && [found.id]
}

/** Whether a field is called so by its id, name or label, whatever the case, spaces and punctuation. */
const called =
  (...names: string[]) =>
  ({ id, name, label }: Field) =>
    [id, name, label].some((text) =>
      names.includes(text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')),
    )
