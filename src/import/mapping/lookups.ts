import { typeHolds } from '../../model/properties/recognise.ts'
import { type Field, kindNames } from '../../model/properties/schema.ts'
import { findOpenSchema, type Schemas } from '../targets/open-schema.ts'
import { canonicalName } from './heading-names.ts'
import type { Lookup } from './mapping.ts'

/** The property that names a record, of collections with fixed properties. */
const nameProperties: Readonly<Record<string, string>> = {
  events: 'name',
  forms: 'name',
  funds: 'name',
  'grant-applications': 'title',
}

const lookups: Readonly<Record<string, readonly Lookup[]>> = {
  ...Object.fromEntries(kindNames.map((kind) => [kind, ['id', 'email', 'name'] as const])),
  ...Object.fromEntries(Object.keys(nameProperties).map((name) => [name, ['id', 'name'] as const])),
}

/** The kinds of values that can identify a record of a collection. */
export const lookupsFor = (collection: string): readonly Lookup[] =>
  Object.hasOwn(lookups, collection) ? (lookups[collection] ?? []) : ['id']

/** The fields or properties that hold a name or an email address. */
export function lookupFields(collection: string, by: Lookup, schemas: Schemas): string[] {
  const open = findOpenSchema(collection, schemas)
  if (open) return listFields(open.schema?.fields ?? [], by).map(({ id }) => id)
  const name = Object.hasOwn(nameProperties, collection) ? nameProperties[collection] : undefined
  return by === 'name' && name !== undefined ? [name] : []
}

function listFields(fields: readonly Field[], by: Lookup): readonly Field[] {
  const isNamed = ({ id, name }: Field, canonical: string) =>
    [id, name].some((candidate) => canonicalName(candidate) === canonical)
  if (by !== 'email') return fields.filter((field) => isNamed(field, 'Full Name'))
  return fields.filter(
    (field) => typeHolds('email', field) || (field.type === 'text' && isNamed(field, 'Email')),
  )
}
