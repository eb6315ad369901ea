import { compactPostcode, postcodeKeys } from '../geography/postcode.ts'
import { isObject, isSameJson } from '../model/json.ts'
import { derivedFieldIds, isPostcodeField, listPostcodes } from '../model/properties/area-fields.ts'
import { hasValue } from '../model/properties/field-types.ts'
import { fieldValueType } from '../model/properties/field-value-type.ts'
import {
  type Field,
  internalKeys,
  isInternalKey,
  type Kind,
  kinds,
  type Schema,
  type Values,
} from '../model/properties/schema.ts'
import { type Validated, type ValidationError, validate } from '../model/validation-error.ts'

type Input = Record<string, unknown>

/**
 * Validates values by field id or name, nested or dotted, and returns the fields with
 * a value, in schema order. Unchanged stored values are always valid, and values that the caller
 * cannot set, such as `hidden` fields, stay.
 */
export function validatePerson(
  kind: Kind,
  schema: Schema,
  input: Input,
  before: Values = {},
  hidden: ReadonlySet<string> = noFields,
): Validated<Values> {
  const { values, errors } = validateValues(schema, input, before, hidden)
  if (errors.length > 0) return { errors }
  const { derived } = shapeOf(schema, hidden)
  const unchanged = schema.fields
    .filter(({ id }) => hidden.has(id) && !derived.has(id) && Object.hasOwn(before, id))
    .map((field) => [field, before[field.id]] as const)
  return { value: personValues(kind, schema, new Map([...values, ...unchanged]), before) }
}

const noFields: ReadonlySet<string> = new Set()

/** Merges values into a stored or new person; null removes a value. */
export function mergePerson(
  kind: Kind,
  schema: Schema,
  known: Values | undefined,
  input: Input,
  hidden: ReadonlySet<string> = noFields,
): Validated<Values> {
  const before = known ?? {}
  const { values, errors } = validateValues(schema, input, before, hidden)
  if (errors.length > 0) return { errors }
  const { derived } = shapeOf(schema, hidden)
  const unchanged = schema.fields
    .filter(({ id }) => !derived.has(id) && Object.hasOwn(before, id))
    .map((field) => [field, before[field.id]] as const)
  return { value: personValues(kind, schema, new Map([...unchanged, ...values]), before) }
}

/** Valid values by field id; empty values are null, "" or []. */
export const valuesById = (schema: Schema, input: Input, hidden?: ReadonlySet<string>): Values =>
  Object.fromEntries(
    [...validateValues(schema, input, {}, hidden ?? noFields).values].map(([{ id }, value]) => [
      id,
      value,
    ]),
  )

function validateValues(schema: Schema, input: Input, before: Values, hidden: ReadonlySet<string>) {
  const errors: ValidationError[] = []
  const values = new Map<Field, unknown>()
  const { derived, fieldsByKey, groups } = shapeOf(schema, hidden)
  for (const [key, value] of leavesOf(input, groups)) {
    const field = fieldsByKey.get(key)
    if (!field) {
      errors.push({ field: key, message: 'is not a field of the schema.', code: 'unknown_field' })
    } else if (derived.has(field.id)) {
      errors.push({
        field: key,
        message: 'is derived from the postcode and cannot be given.',
        code: 'read_only',
      })
    } else if (values.has(field)) {
      errors.push({
        field: key,
        message: `is given twice, as ${field.id} and as ${field.name}.`,
        code: 'duplicate',
      })
    } else {
      values.set(field, value)
      const canBeNone = isEmptyValue(value) && hasValue(field)
      const isUnchanged = Object.hasOwn(before, field.id) && isSameJson(value, before[field.id])
      if (canBeNone || isUnchanged) continue
      const checked = validate(fieldValueType(field), value)
      const [error] = 'errors' in checked ? checked.errors : []
      if (error) errors.push({ ...error, field: key })
    }
  }
  return { values, errors }
}

function personValues(
  kind: Kind,
  schema: Schema,
  input: ReadonlyMap<Field, unknown>,
  before: Values,
): Values {
  const values = schema.fields
    .map((field) => [field.id, input.get(field)] as const)
    .filter(([, value]) => !isEmptyValue(value))
  const others = [
    ...valuesOutsideSchema(kind, schema, before),
    ...updateAnswerDates(schema, new Map(values), before),
  ]
  return withPostcodeKeys(kind, schema, Object.fromEntries([...values, ...others]))
}

/**
 * Stored values of fields that are no longer in the schema. Responses omit them, so a
 * caller cannot send them back.
 */
function valuesOutsideSchema(kind: Kind, schema: Schema, before: Values) {
  const { ids, derived } = shapeOf(schema, noFields)
  return Object.entries(before).filter(
    ([key]) => !ids.has(key) && !derived.has(key) && key !== kinds[kind].id && !isInternalKey(key),
  )
}

/**
 * Updates the answer dates of changed fields: a new value removes the date, a cleared value sets it
 * to the current time. Answers before this date do not fill the field.
 */
function updateAnswerDates(schema: Schema, values: ReadonlyMap<string, unknown>, before: Values) {
  const { derived } = shapeOf(schema, noFields)
  // A field may be called __proto__.
  const known = new Map(Object.entries(before))
  const dates = new Map(
    Object.entries((before[internalKeys.answerDates] ?? {}) as Record<string, string>),
  )
  const now = new Date().toISOString()
  for (const { id } of schema.fields) {
    if (derived.has(id) || isSameJson(values.get(id), known.get(id))) continue
    const date = dates.get(id) ?? ''
    if (values.has(id)) dates.delete(id)
    // The date of an answer may be in the future.
    else dates.set(id, date > now ? date : now)
  }
  return dates.size > 0 ? [[internalKeys.answerDates, Object.fromEntries(dates)] as const] : []
}

/** A person's document. It includes the id, so that filters find it. */
export const toPersonDocument = (kind: Kind, id: string, values: Values): Values => ({
  [kinds[kind].id]: id,
  ...values,
})

export const parseDocument = (document: string): Values => JSON.parse(document)

/** Yields keys with their values. Flattens objects under the `groups`, because these nest fields. */
function* leavesOf(
  input: Input,
  groups: ReadonlySet<string>,
  prefix = '',
): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(input)) {
    const key = prefix + name
    if (isObject(value) && groups.has(key)) yield* leavesOf(value, groups, `${key}.`)
    else yield [key, value]
  }
}

/** Lookups by schema, without the fields hidden from the caller. */
type Shape = {
  ids: ReadonlySet<string>
  postcodes: readonly string[]
  derived: ReadonlySet<string>
  fieldsByKey: ReadonlyMap<string, Field>
  groups: ReadonlySet<string>
}

// Cached, because a file has many people of one schema.
const shapes = new WeakMap<Schema, WeakMap<ReadonlySet<string>, Shape>>()

function shapeOf(schema: Schema, hidden: ReadonlySet<string>): Shape {
  const known = shapes.get(schema)?.get(hidden)
  if (known) return known
  const fields = schema.fields.filter(({ id }) => !hidden.has(id))
  const shape = {
    ids: new Set(schema.fields.map(({ id }) => id)),
    postcodes: schema.fields.filter(isPostcodeField).map(({ id }) => id),
    derived: derivedFieldIds(schema.fields),
    fieldsByKey: fieldsByName(fields),
    groups: groupsOf(fields),
  }
  const schemaShapes = shapes.get(schema) ?? new WeakMap()
  shapes.set(schema, schemaShapes.set(hidden, shape))
  return shape
}

/** The prefixes of ids and names before each dot: `a` and `a.b` of `a.b.c`. */
function groupsOf(fields: readonly Field[]): ReadonlySet<string> {
  const groups = new Set<string>()
  for (const key of fields.flatMap(({ id, name }) => [id, name])) {
    for (let dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
      groups.add(key.slice(0, dot))
    }
  }
  return groups
}

// An id takes precedence over a name, and the first field over later ones of the same name.
const fieldsByName = (fields: readonly Field[]): ReadonlyMap<string, Field> =>
  new Map([
    ...fields.toReversed().map((field) => [field.name, field] as const),
    ...fields.map((field) => [field.id, field] as const),
  ])

/**
 * Adds internal keys with normalised postcodes: one per postcode field, and one for the `postcode`
 * filter of volunteers and partners.
 */
export function withPostcodeKeys(kind: Kind, schema: Schema, values: Values): Values {
  const keyed = Object.entries(values).filter(
    ([id]) => id !== internalKeys.postcode && !id.startsWith(internalKeys.postcodePrefix),
  )
  const keys = new Set<string>()
  for (const id of shapeOf(schema, noFields).postcodes) {
    for (const postcode of listPostcodes(values, [id])) {
      keyed.push([internalKeys.postcodePrefix + id, compactPostcode(postcode)])
      for (const key of postcodeKeys(postcode)) keys.add(key)
    }
  }
  if (kinds[kind].hasPostcodeFilter && keys.size > 0) keyed.push([internalKeys.postcode, [...keys]])
  return Object.fromEntries(keyed)
}

/** Whether a value counts as empty. */
export const isEmptyValue = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)
