import { lookUpAreas, toLookupKey } from '../geography/lookup.ts'
import { typeHolds, usualName } from '../model/properties/recognise.ts'
import { tolerate } from '../platform/log.ts'
import type { AttendeeInput } from './attendees.ts'
import type { SignUpForm } from './form.ts'

/** The postcodes of people that the directory does not have: a typing error, or one of another country. None without a directory. */
export async function listUnknownPostcodes(
  geography: D1Database,
  { fields }: Pick<SignUpForm, 'fields'>,
  attendees: readonly AttendeeInput[],
): Promise<string[]> {
  const ids = fields.flatMap((field) =>
    typeHolds('postcode', field) || usualName(field.label) === 'Postcode' ? [field.id] : [],
  )
  const postcodes = attendees.flatMap(({ values }) =>
    ids.flatMap((id) => (typeof values[id] === 'string' && values[id]) || []),
  )
  if (postcodes.length === 0) return []
  const found = await tolerate('geography', {}, () => lookUpAreas(geography, postcodes))
  if (found?.edition === undefined) return []
  return [...new Set(postcodes)].filter((it) => !found.byPostcode.has(toLookupKey(it)))
}
