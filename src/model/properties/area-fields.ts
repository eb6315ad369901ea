import { derivedKeys } from '../../geography/areas.ts'
import { type LookupResult, toLookupKey } from '../../geography/lookup.ts'
import type { Field } from './schema.ts'

/** Whether a field has area fields: a `postcode`, or a `text` with the name "Postcode" or "Post code". */
export const isPostcodeField = ({ id, name, type }: Field) =>
  type === 'postcode' || (type === 'text' && [id, name].some((text) => postcodeName.test(text)))

const postcodeName = /^post ?code$/i

export const derivedIds = (postcodeField: string) =>
  derivedKeys.map(({ key }) => `${postcodeField}.${key}`)

/** The name of the area in a field below one called "Postcode", such as "Ward"; undefined for any other field. */
export function areaName(id: string): string | undefined {
  const [postcodeField = '', areaKey] = id.split('.').slice(-2)
  if (!postcodeName.test(postcodeField)) return undefined
  return derivedKeys.find(({ key }) => key === areaKey)?.label
}

export const derivedFieldIds = (fields: readonly Field[]): ReadonlySet<string> =>
  new Set(fields.filter(isPostcodeField).flatMap(({ id }) => derivedIds(id)))

export function withoutDerivedFields(fields: readonly Field[]): Field[] {
  const derived = derivedFieldIds(fields)
  return fields.filter(({ id }) => !derived.has(id))
}

/** A schema's fields in display order: the area fields follow their postcode field. */
export function withDerivedFields(fields: readonly Field[]): Field[] {
  if (!fields.some(isPostcodeField)) return [...fields]
  return withoutDerivedFields(fields)
    .flatMap((field) => (isPostcodeField(field) ? [field, ...derivedFields(field)] : [field]))
    .map((field, order) => ({ ...field, order }))
}

export const listPostcodes = (values: Values, postcodeFields: readonly string[]) =>
  postcodeFields.map((id) => values[id]).filter((value) => typeof value === 'string')

/** Replaces the areas in a person's values with those from the directory. */
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
