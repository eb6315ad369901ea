import type { AccessPolicy } from '../access/access-policy.ts'
import { visibleDerived, visibleReferences } from '../access/query-fields.ts'
import { getLayout } from '../formats/person-layout.ts'
import { collectionNames } from '../model/collection.ts'
import { compileFields, toLabel } from '../model/properties/compile.ts'
import { isKind, type Kind, kindNames, parseStoredSchema } from '../model/properties/schema.ts'
import { isObjectList, type ValueType } from '../model/value-types.ts'
import { propertiesOfType } from '../records/rules.ts'
import { loadCollection } from '../resources/resources.ts'
import { readVisibleSchemas } from '../store/read/single.ts'
import type { Store } from '../store/store.ts'
import { assignNames, toSetName } from './names.ts'

/** A collection as an entity set. Its properties are the fields that the caller may see, flat as in CSV. */
export type EntitySet = {
  /** The name of the set, such as `SurveyResponses`. */
  name: string
  /** The name of its entity type, such as `SurveyResponse`. */
  typeName: string
  /** The path segment of the collection. */
  collection: string
  key: EntityProperty
  /** All properties, the key first. */
  properties: readonly EntityProperty[]
  /** What `$filter` and `$apply` can name besides: entities do not have it. */
  derived: EntityProperty | undefined
  /** The sets that references lead to, by the name of the reference, for paths such as `member/Ward`. Only `$apply` has them. */
  references?: ReadonlyMap<string, EntitySet>
}

/** A property of an entity: a field with its name in OData. */
export type EntityProperty = EntityField & { name: string }

type EntityField = {
  /** The name of the field in queries. */
  field: string
  path: readonly string[]
  label: string
  type: ValueType
  /** Whether queries can name it. */
  isQueryable: boolean
}

/** A collection by the name of its entity set. */
export const collectionsBySet: ReadonlyMap<string, string> = new Map(
  collectionNames.map((collection) => [toSetName(collection), collection]),
)

/** The redacted schemas as JSON text. */
type Schemas = Readonly<Partial<Record<Kind, string | undefined>>>

/** Reads the entity sets that the caller may see. */
export async function readEntitySets(store: Store): Promise<EntitySet[]> {
  const schemas = await readVisibleSchemas(store, kindNames)
  const { policy } = store
  const visible = collectionNames.filter((collection) => policy.allowsCollection(collection))
  return Promise.all(visible.map((collection) => buildEntitySet(collection, policy, schemas)))
}

/** Reads the entity set of a collection. Throws 403 if the caller may not see it. */
export async function readEntitySet(store: Store, collection: string): Promise<EntitySet> {
  const { resource } = await loadCollection(collection)
  const { schema } = resource.related
  const schemas = await readVisibleSchemas(store, schema ? [schema] : [], collection)
  return buildEntitySet(collection, store.policy, schemas)
}

/** Reads the entity set of a collection with the sets that the paths in a text lead to. Throws 403 if the caller may not see it. */
export async function readEntitySetWithPaths(
  store: Store,
  collection: string,
  text: string,
): Promise<EntitySet> {
  const { policy } = store
  const { list, resource } = await loadCollection(collection)
  const record = list.types.record?.()
  const visible = record ? visibleReferences(policy, collection, record) : []
  const references = visible.filter(({ name }) => text.includes(`${name}/`))
  const kinds = [resource.related.schema, ...references.map(({ to }) => to)].filter(
    (kind) => kind !== undefined && isKind(kind),
  )
  const schemas = await readVisibleSchemas(store, [...new Set(kinds)], collection)
  const sets = await Promise.all(
    references.map(
      async ({ name, to }) => [name, await buildEntitySet(to, policy, schemas)] as const,
    ),
  )
  return { ...(await buildEntitySet(collection, policy, schemas)), references: new Map(sets) }
}

async function buildEntitySet(
  collection: string,
  policy: AccessPolicy,
  schemas: Schemas,
): Promise<EntitySet> {
  const { list, resource } = await loadCollection(collection)
  const { id, related } = resource
  const derived = visibleDerived(policy, collection, list.types)
  const schema = related.schema && schemas[related.schema]
  const { listed, fullLabel } = propertiesOfType(resource, schema)
  const fields = [
    ...listed(policy)
      .filter(({ name }) => name !== id)
      .map(
        (property): EntityField => ({
          field: property.name,
          path: property.path,
          label: fullLabel(property),
          type: property.type,
          isQueryable: !isObjectList(property),
        }),
      ),
    ...(related.withMember ? listProfileFields(schema) : []),
  ]
  const names = assignNames(
    id,
    fields.map(({ field }) => field),
  )
  const toProperty = (field: EntityField) => ({
    name: names.get(field.field) ?? field.field,
    ...field,
  })
  const key = toProperty({
    field: id,
    path: [id],
    label: toLabel(id),
    type: 'text',
    isQueryable: true,
  })
  const name = toSetName(collection)
  return {
    name,
    typeName: name.replace(/s$/, ''),
    collection,
    key,
    properties: [key, ...fields.map(toProperty)],
    derived: derived && {
      name: derived.name,
      field: derived.name,
      path: [derived.name],
      label: toLabel(derived.name),
      type: 'boolean',
      isQueryable: true,
    },
  }
}

/** The fields of a booking's member that lists show by default. No query can name them. */
function listProfileFields(schema: string | undefined): EntityField[] {
  const { profileFieldIds } = getLayout(schema)
  return compileFields(parseStoredSchema(schema).fields)
    .filter(({ name }) => profileFieldIds.includes(name))
    .map(({ name, label, type }) => ({
      field: `profile.${name}`,
      path: ['profile', name],
      type,
      isQueryable: false,
      label: `Profile: ${label}`,
    }))
}
