import { isPostcodeField } from '../model/properties/area-fields.ts'
import { type Field, type Kind, kinds, parseStoredSchema } from '../model/properties/schema.ts'
import { BoundedMap } from '../platform/bounded-map.ts'
import { once } from '../platform/once.ts'
import { findDefaultFields } from './booking-profile.ts'
import { extractValues } from './value-texts.ts'

/** The prepared JSON text around the values of a schema's fields. Serialising a record takes one pass and creates no objects. */
export type PersonLayout = {
  name: string | undefined
  fields: readonly FieldLayout[]
  /** The index of each field by the JSON text of its id. */
  indexById: ReadonlyMap<string, number>
  /** The ids of the fields that a booking's profile shows by default. Only bookings need them. */
  profileFieldIds: readonly string[]
  fieldIds: ReadonlySet<string>
  postcodeFieldIds: ReadonlySet<string>
}

type FieldLayout = {
  id: string
  label: string
  prefix: string
  suffix: string
  suffixWithOptions: string
}

const layouts = new BoundedMap<string, PersonLayout>(100)

/** The cached layout of a stored schema. Without a schema, the layout has no fields. */
export function getLayout(schema: string | undefined): PersonLayout {
  if (schema === undefined) return createLayout(undefined, [])
  const cached = layouts.get(schema)
  if (cached) return cached
  const { name, fields } = parseStoredSchema(schema)
  const postcodes = fields.filter(isPostcodeField).map(({ id }) => id)
  const layout = createLayout(
    name,
    fields.map(createFieldLayout),
    once(() => findDefaultFields(fields)),
    postcodes,
  )
  layouts.set(schema, layout)
  return layout
}

/** The layout with only these fields, in schema order (`profileFields`). */
export function selectFields(layout: PersonLayout, ids: readonly string[]): PersonLayout {
  return createLayout(
    layout.name,
    layout.fields.filter(({ id }) => ids.includes(id)),
  )
}

/** Serialises the fields of a person that have a value, in schema order. */
export function serialiseFields(
  layout: PersonLayout,
  document: string,
  includeOptions = false,
): string[] {
  const texts = extractValues(document, layout.indexById)
  const objects: string[] = []
  for (const [index, { prefix, suffix, suffixWithOptions }] of layout.fields.entries()) {
    const value = texts[index]
    if (value !== undefined)
      objects.push(prefix + value + (includeOptions ? suffixWithOptions : suffix))
  }
  return objects
}

/** Serialises a person's id and field objects as JSON properties, without braces. */
export const serialisePerson = (kind: Kind, id: string, fields: readonly string[]) =>
  `"${kinds[kind].id}":${JSON.stringify(id)},"fields":[${fields.join(',')}]`

/** A column for every field, even an empty one, so that every download has the same columns. */
export const fieldColumns = ({ fields }: PersonLayout) =>
  fields.map(({ id, label }) => ({ path: [id], name: id, label }))

/** The `schemaInfo` of a list of people as JSON text. */
export function serialiseSchemaInfo(
  kind: Kind,
  organisationId: string,
  name = kinds[kind].schemaName as string,
) {
  const href = `/api/v1/schemas/${encodeURIComponent(organisationId)}`
  return JSON.stringify({
    organisationId,
    schemaId: 'master',
    name,
    _links: { [kinds[kind].schemaRelation]: { href } },
  })
}

const createLayout = (
  name: string | undefined,
  fields: readonly FieldLayout[],
  findProfileFields: () => readonly string[] = () => [],
  postcodes: readonly string[] = [],
): PersonLayout => ({
  name,
  fields,
  get profileFieldIds() {
    return findProfileFields()
  },
  fieldIds: new Set(fields.map(({ id }) => id)),
  postcodeFieldIds: new Set(postcodes),
  indexById: new Map(fields.map(({ id }, index) => [JSON.stringify(id), index])),
})

function createFieldLayout({ id, label, type, options }: Field): FieldLayout {
  const typeText = `,"type":${JSON.stringify(type)}`
  return {
    id,
    label,
    prefix: `{"key":${JSON.stringify(id)},"label":${JSON.stringify(label)},"value":`,
    suffix: `${typeText}}`,
    suffixWithOptions: options
      ? `${typeText},"options":${JSON.stringify(options)}}`
      : `${typeText}}`,
  }
}
