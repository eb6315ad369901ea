import type * as z from 'zod'
import { compileFields, compileRecord, type Property } from '../model/properties/compile.ts'
import { type Kind, kinds, parseStoredSchema } from '../model/properties/schema.ts'
import { isObjectList, isTextList } from '../model/properties/value-types.ts'
import type { QueryField, QueryFields } from '../model/query/resolve.ts'
import { type NamedReference, namedReferences } from '../model/references.ts'
import type { AccessPolicy } from './access-policy.ts'

export function recordQueryFields(
  policy: AccessPolicy,
  collection: string,
  record: z.ZodObject,
): QueryFields {
  const visible = policy.visibleProperties(collection, record)
  return toQueryFields(compileRecord(record).leaves.filter(({ name }) => visible.has(name)))
}

/** The fields of people that a query may name: the id and the fields that the policy shows. `schema` is the complete schema as JSON text. */
export function personQueryFields(
  policy: AccessPolicy,
  kind: Kind,
  schema: string | undefined,
): QueryFields {
  const { fields } = parseStoredSchema(schema)
  const hidden = policy.hiddenFields(fields)
  const id = kinds[kind].id
  return new Map([
    [id, { path: [id], isList: false, type: 'text' }],
    ...toQueryFields(compileFields(fields).filter(({ name }) => !hidden.has(name))),
  ])
}

/** The references that a query of a structured collection may follow: the policy shows their property and their collection. */
export function visibleReferences(
  policy: AccessPolicy,
  collection: string,
  record: z.ZodObject,
): NamedReference[] {
  const visible = policy.visibleProperties(collection, record)
  return namedReferences(collection).filter(
    ({ path, to }) => visible.has(path) && policy.allowsCollection(to),
  )
}

/** The fields of referenced records, each after the name of the reference. */
export const referencedFields = (
  { name, path, to }: NamedReference,
  fields: QueryFields,
): [string, QueryField][] =>
  [...fields].map(([field, type]) => [
    `${name}.${field}`,
    { ...type, reference: { path: path.split('.'), to } },
  ])

const toQueryFields = (properties: readonly Property[]): QueryFields =>
  new Map(
    properties
      .filter((property) => !isObjectList(property))
      .map((property): [string, QueryField] => {
        const { name, path, type } = property
        return [name, { path, type, isList: isTextList(property) }]
      }),
  )
