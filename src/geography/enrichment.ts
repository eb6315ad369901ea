import type { Field } from '../model/properties/schema.ts'
import { derivedKeys } from './areas.ts'
import { type LookupResult, toLookupKey } from './lookup.ts'

/** Whether a field's value is looked up in the directory: a `postcode`, or a `text` called "Postcode" or "Post code" (decisions 8). */
export const isPostcodeField = ({ id, name, type }: Field) =>
  type === 'postcode' || (type === 'text' && [id, name].some((text) => postcodeName.test(text)))

const postcodeName = /^post ?code$/i

/** The ids of the fields that derive from a postcode field, in schema order. */
export const derivedIds = (postcodeField: string) =>
  derivedKeys.map(({ key }) => `${postcodeField}.${key}`)

/** The ids of every derived field of a schema; their values cannot be given. */
export const derivedFieldIds = (fields: readonly Field[]): ReadonlySet<string> =>
  new Set(fields.filter(isPostcodeField).flatMap(({ id }) => derivedIds(id)))

/** A schema's fields without the derived ones. */
export function withoutDerivedFields(fields: readonly Field[]): Field[] {
  const derived = derivedFieldIds(fields)
  return fields.filter(({ id }) => !derived.has(id))
}

/** A schema's fields in display order, with the derived fields of each postcode field right after it (decisions 8). Derived fields that are already there are placed anew. */
export function withDerivedFields(fields: readonly Field[]): Field[] {
  if (!fields.some(isPostcodeField)) return [...fields]
  return withoutDerivedFields(fields)
    .flatMap((field) => (isPostcodeField(field) ? [field, ...derivedFields(field)] : [field]))
    .map((field, order) => ({ ...field, order }))
}

/** The postcodes of a person that can be looked up, as they were given. */
export const listPostcodes = (values: Values, postcodeFields: readonly string[]) =>
  postcodeFields.map((id) => values[id]).filter((value) => typeof value === 'string')

/** The values of a person with every derived field of their postcode fields replaced by what the directory found: what it did not find is gone. */
export function replaceAreas(
  values: Values,
  postcodeFields: readonly string[],
  { byPostcode }: LookupResult,
): Record<string, unknown> {
  const result = { ...values }
  for (const field of postcodeFields) {
    for (const id of derivedIds(field)) delete result[id]
    for (const postcode of listPostcodes(values, [field])) {
      for (const [key, value] of Object.entries(byPostcode.get(toLookupKey(postcode)) ?? {})) {
        result[`${field}.${key}`] = value
      }
    }
  }
  return result
}

type Values = Readonly<Record<string, unknown>>

const derivedFields = ({ id, label, order }: Field): Field[] =>
  derivedKeys.map((derived) => ({
    id: `${id}.${derived.key}`,
    name: `${id}.${derived.key}`,
    label: `${label}: ${derived.label}`,
    type: 'text',
    order,
  }))
