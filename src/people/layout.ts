import { isPostcodeField } from '../geography/enrichment.ts'
import type { Kind } from '../model/schema.ts'
import { type Field, keptSchema, kinds } from '../model/schema.ts'
import { defaultsOf } from './profile.ts'
import { valueTexts } from './value-texts.ts'

/** A schema laid out as JSON text around the values of its fields, so that a record costs one pass and no objects. */
export type Layout = {
  name: string | undefined
  fields: readonly FieldLayout[]
  /** The place of each field, by its id as JSON text. */
  places: ReadonlyMap<string, number>
  /** The ids of the fields that a booking's profile shows unless told. */
  defaults: readonly string[]
  /** The ids of all fields, and of the postcode fields. */
  ids: ReadonlySet<string>
  postcodes: ReadonlySet<string>
}

type FieldLayout = {
  id: string
  label: string
  before: string
  after: string
  afterWithOptions: string
}

const laidOut = new Map<string, Layout>()
const mostLaidOut = 100

/** The layout of a schema that the store gave as JSON text; without one, no field is shown. */
export function layoutOf(schema: string | undefined): Layout {
  if (schema === undefined) return layoutWith(undefined, [])
  const known = laidOut.get(schema)
  if (known) return known
  if (laidOut.size >= mostLaidOut) laidOut.clear()
  const { name, fields } = keptSchema(schema)
  const postcodes = fields.filter(isPostcodeField).map(({ id }) => id)
  const layout = layoutWith(name, fields.map(layOut), defaultsOf(fields), postcodes)
  laidOut.set(schema, layout)
  return layout
}

/** The layout with only the fields named by `ids`, in schema order (contract 4.3, `profileFields`). */
export function only(layout: Layout, ids: readonly string[]): Layout {
  return layoutWith(
    layout.name,
    layout.fields.filter(({ id }) => ids.includes(id)),
  )
}

/** The field objects of a person, whose document is given, as JSON texts in schema order: only fields that have a value (contract 2.1). */
export function fieldObjects(layout: Layout, document: string, withOptions = false): string[] {
  const texts = valueTexts(document, layout.places)
  const objects: string[] = []
  for (const [place, { before, after, afterWithOptions }] of layout.fields.entries()) {
    const value = texts[place]
    if (value !== undefined) objects.push(before + value + (withOptions ? afterWithOptions : after))
  }
  return objects
}

/** The properties of a person as JSON text: the id, and the field objects given. */
export const personText = (kind: Kind, id: string, fields: readonly string[]) =>
  `"${kinds[kind].id}":${JSON.stringify(id)},"fields":[${fields.join(',')}]`

/** The columns of people's fields, also of those that nobody has a value in, so that they stay the same from pull to pull. */
export const fieldColumns = ({ fields }: Layout) =>
  fields.map(({ id, label }) => ({ path: [id], name: id, label }))

/** The `schemaInfo` beside people (contract 2.2) as JSON text. */
export function schemaInfo(
  kind: Kind,
  organisationId: string,
  name = kinds[kind].schemaName as string,
) {
  const href = `/api/v1/schemas/${encodeURIComponent(organisationId)}`
  const relation = kind === 'members' ? 'schema' : 'self'
  return JSON.stringify({
    organisationId,
    schemaId: 'master',
    name,
    _links: { [relation]: { href } },
  })
}

const layoutWith = (
  name: string | undefined,
  fields: readonly FieldLayout[],
  defaults: readonly string[] = [],
  postcodes: readonly string[] = [],
): Layout => ({
  name,
  fields,
  defaults,
  ids: new Set(fields.map(({ id }) => id)),
  postcodes: new Set(postcodes),
  places: new Map(fields.map(({ id }, place) => [JSON.stringify(id), place])),
})

function layOut({ id, label, type, options }: Field): FieldLayout {
  const close = `,"type":${JSON.stringify(type)}`
  return {
    id,
    label,
    before: `{"key":${JSON.stringify(id)},"label":${JSON.stringify(label)},"value":`,
    after: `${close}}`,
    afterWithOptions: options ? `${close},"options":${JSON.stringify(options)}}` : `${close}}`,
  }
}
