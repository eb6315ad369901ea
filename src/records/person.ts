import { derivedFieldIds, isPostcodeField, listPostcodes } from '../geography/enrichment.ts'
import { compactPostcode, postcodeKeys } from '../geography/postcode.ts'
import { internalKeys, isInternalKey } from '../model/internal-keys.ts'
import { isObject } from '../model/is-object.ts'
import { isSameJson } from '../model/same-json.ts'
import { type Field, type Kind, kinds, type Schema, type Values } from '../model/schema.ts'
import type { Validated, ValidationError } from '../model/validation-error.ts'
import { fieldValueType } from './field-values.ts'

type Given = Record<string, unknown>

/**
 * A person as they are kept, from values by field id or name, nested or dotted (decisions 6): only
 * fields with a value, in schema order. Every fault is named by its field. In place of a person kept
 * before, what was kept and nobody can give stays, and a value that was kept fits. The fields that are
 * `kept` from whoever gives them are no fields, and stay as well.
 */
export function validatePerson(
  kind: Kind,
  schema: Schema,
  given: Given,
  before: Values = {},
  kept: ReadonlySet<string> = nothing,
): Validated<Values> {
  const { values, errors } = valuesGiven(schema, given, before, kept)
  if (errors.length > 0) return { errors }
  const { derived } = shapeOf(schema, kept)
  const stay = schema.fields
    .filter(({ id }) => kept.has(id) && !derived.has(id) && Object.hasOwn(before, id))
    .map((field) => [field, before[field.id]] as const)
  return { value: personValues(kind, schema, new Map([...values, ...stay]), before) }
}

const nothing: ReadonlySet<string> = new Set()

/** A person kept before, or a new one, with other values in the fields that are given; null takes a value away. */
export function mergePerson(
  kind: Kind,
  schema: Schema,
  known: Values | undefined,
  given: Given,
  kept: ReadonlySet<string> = nothing,
): Validated<Values> {
  const before = known ?? {}
  const { values, errors } = valuesGiven(schema, given, before, kept)
  if (errors.length > 0) return { errors }
  const { derived } = shapeOf(schema, kept)
  const stay = schema.fields
    .filter(({ id }) => !derived.has(id) && Object.hasOwn(before, id))
    .map((field) => [field, before[field.id]] as const)
  return { value: personValues(kind, schema, new Map([...stay, ...values]), before) }
}

/** Returns valid values by the ids of their fields; null, "" or [] for none. */
export const valuesById = (schema: Schema, given: Given, kept?: ReadonlySet<string>): Values =>
  Object.fromEntries(
    [...valuesGiven(schema, given, {}, kept ?? nothing).values].map(([{ id }, value]) => [
      id,
      value,
    ]),
  )

function valuesGiven(schema: Schema, given: Given, before: Values, kept: ReadonlySet<string>) {
  const errors: ValidationError[] = []
  const values = new Map<Field, unknown>()
  const { derived, called, groups } = shapeOf(schema, kept)
  for (const [key, value] of leavesOf(given, groups)) {
    const field = called.get(key)
    if (!field) {
      errors.push({ field: key, message: 'is not a field of the schema.' })
    } else if (derived.has(field.id)) {
      errors.push({ field: key, message: 'is derived from the postcode and cannot be given.' })
    } else if (values.has(field)) {
      errors.push({ field: key, message: `is given twice, as ${field.id} and as ${field.name}.` })
    } else {
      values.set(field, value)
      const canBeNone = isEmptyValue(value) && field.type !== 'divider'
      const stays = Object.hasOwn(before, field.id) && isSameJson(value, before[field.id])
      const checked = canBeNone || stays ? undefined : fieldValueType(field).safeParse(value)
      for (const { message } of checked?.error?.issues.slice(0, 1) ?? []) {
        errors.push({ field: key, message: message })
      }
    }
  }
  return { values, errors }
}

function personValues(
  kind: Kind,
  schema: Schema,
  given: ReadonlyMap<Field, unknown>,
  before: Values,
): Values {
  const values = schema.fields
    .map((field) => [field.id, given.get(field)] as const)
    .filter(([, value]) => !isEmptyValue(value))
  const others = [...unseen(kind, schema, before), ...settled(schema, new Map(values), before)]
  return withPostcodeKeys(kind, schema, Object.fromEntries([...values, ...others]))
}

/** What is kept of fields that the schema has no more: it is not shown, so it cannot be given. */
function unseen(kind: Kind, schema: Schema, before: Values) {
  const { ids, derived } = shapeOf(schema, nothing)
  return Object.entries(before).filter(
    ([key]) => !ids.has(key) && !derived.has(key) && key !== kinds[kind].id && !isInternalKey(key),
  )
}

/** The fields that older answers do not fill: those with an answer's value, until that is changed, by its date; and those whose value was cleared, by the time of that. */
function settled(schema: Schema, values: ReadonlyMap<string, unknown>, before: Values) {
  const { derived } = shapeOf(schema, nothing)
  // A field may be called __proto__.
  const known = new Map(Object.entries(before))
  const dates = new Map(
    Object.entries((before[internalKeys.answered] ?? {}) as Record<string, string>),
  )
  const now = new Date().toISOString()
  for (const { id } of schema.fields) {
    if (derived.has(id) || isSameJson(values.get(id), known.get(id))) continue
    const date = dates.get(id) ?? ''
    if (values.has(id)) dates.delete(id)
    // An answer may bear a date to come.
    else dates.set(id, date > now ? date : now)
  }
  return dates.size > 0 ? [[internalKeys.answered, Object.fromEntries(dates)] as const] : []
}

/** What is kept of a person: their id, for filters to find them by, and their values. */
export const toPersonDocument = (kind: Kind, id: string, values: Values): Values => ({
  [kinds[kind].id]: id,
  ...values,
})

/** What a person's document holds, which is what `personRecord` made. */
export const parseDocument = (document: string): Values => JSON.parse(document)

/** The given keys with their values; an object nests fields where its key is one of `groups`. */
function* leavesOf(
  given: Given,
  groups: ReadonlySet<string>,
  prefix = '',
): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(given)) {
    const key = prefix + name
    if (isObject(value) && groups.has(key)) yield* leavesOf(value, groups, `${key}.`)
    else yield [key, value]
  }
}

/** What follows from a schema for every person of it, without the fields that are kept from whoever gives them. */
type Shape = {
  ids: ReadonlySet<string>
  postcodes: readonly string[]
  derived: ReadonlySet<string>
  called: ReadonlyMap<string, Field>
  groups: ReadonlySet<string>
}

// A file has many people of one schema.
const shapes = new WeakMap<Schema, WeakMap<ReadonlySet<string>, Shape>>()

function shapeOf(schema: Schema, kept: ReadonlySet<string>): Shape {
  const known = shapes.get(schema)?.get(kept)
  if (known) return known
  const fields = schema.fields.filter(({ id }) => !kept.has(id))
  const shape = {
    ids: new Set(schema.fields.map(({ id }) => id)),
    postcodes: schema.fields.filter(isPostcodeField).map(({ id }) => id),
    derived: derivedFieldIds(schema.fields),
    called: fieldsByName(fields),
    groups: groupsOf(fields),
  }
  const own = shapes.get(schema) ?? new WeakMap()
  shapes.set(schema, own.set(kept, shape))
  return shape
}

/** What stands before a dot in an id or a name: `a` and `a.b` of `a.b.c`. */
function groupsOf(fields: readonly Field[]): ReadonlySet<string> {
  const groups = new Set<string>()
  for (const called of fields.flatMap(({ id, name }) => [id, name])) {
    for (let dot = called.indexOf('.'); dot >= 0; dot = called.indexOf('.', dot + 1)) {
      groups.add(called.slice(0, dot))
    }
  }
  return groups
}

// An id wins over a name, and the first field over others of its name.
const fieldsByName = (fields: readonly Field[]): ReadonlyMap<string, Field> =>
  new Map([
    ...fields.toReversed().map((field) => [field.name, field] as const),
    ...fields.map((field) => [field.id, field] as const),
  ])

/** The values with what filters find their postcodes by: on a field, and the `postcode` filter of volunteers and partners. That is never shown. */
export function withPostcodeKeys(kind: Kind, schema: Schema, values: Values): Values {
  const keyed = Object.entries(values).filter(
    ([id]) => id !== internalKeys.postcode && !id.startsWith(internalKeys.postcodeOf),
  )
  const keys = new Set<string>()
  for (const id of shapeOf(schema, nothing).postcodes) {
    for (const postcode of listPostcodes(values, [id])) {
      keyed.push([internalKeys.postcodeOf + id, compactPostcode(postcode)])
      for (const key of postcodeKeys(postcode)) keys.add(key)
    }
  }
  if (kind !== 'members' && keys.size > 0) keyed.push([internalKeys.postcode, [...keys]])
  return Object.fromEntries(keyed)
}

/** Whether a value says that there is none (decisions 6). */
export const isEmptyValue = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)
