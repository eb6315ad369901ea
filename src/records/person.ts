import { derivedFieldIds, isPostcodeField, postcodesOf } from '../geography/enrichment.ts'
import { compactPostcode, postcodeKeys } from '../geography/postcode.ts'
import type { Checked, Fault } from '../model/checked.ts'
import { hidden } from '../model/hidden-keys.ts'
import { type Field, type Kind, kinds, type Schema, type Values } from '../model/schema.ts'
import { valueType } from './field-values.ts'

type Given = Record<string, unknown>

/**
 * A person as they are kept, from values by field id or name, nested or dotted (decisions 6): only
 * fields with a value, in schema order. Every fault is named by its field.
 */
export function checkPerson(kind: Kind, schema: Schema, given: Given): Checked<Values> {
  const faults: Fault[] = []
  const values = new Map<Field, unknown>()
  const derived = derivedFieldIds(schema.fields)
  const called = fieldsByName(schema)
  for (const [key, value] of leavesOf(given, groupsOf(schema))) {
    const field = called.get(key)
    if (!field) {
      faults.push({ field: key, reason: 'is not a field of the schema.' })
    } else if (derived.has(field.id)) {
      faults.push({ field: key, reason: 'is derived from the postcode and cannot be given.' })
    } else if (values.has(field)) {
      faults.push({ field: key, reason: `is given twice, as ${field.id} and as ${field.name}.` })
    } else {
      values.set(field, value)
      const canBeNone = isNoValue(value) && field.type !== 'divider'
      const checked = canBeNone ? undefined : valueType(field).safeParse(value)
      for (const { message } of checked?.error?.issues.slice(0, 1) ?? []) {
        faults.push({ field: key, reason: message })
      }
    }
  }
  if (faults.length > 0) return { faults }
  const entries = schema.fields
    .map((field) => [field.id, values.get(field)] as const)
    .filter(([, value]) => !isNoValue(value))
  return { kept: withPostcodeKeys(kind, schema, Object.fromEntries(entries)) }
}

/** What is kept of a person: their id, for filters to find them by, and their values. */
export const personRecord = (kind: Kind, id: string, values: Values): Values => ({
  [kinds[kind].id]: id,
  ...values,
})

/** What a person's document holds, which is what `personRecord` made. */
export const valuesOf = (document: string): Values => JSON.parse(document)

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

/** What stands before a dot in an id or a name: `a` and `a.b` of `a.b.c`. */
function groupsOf({ fields }: Schema): ReadonlySet<string> {
  const groups = new Set<string>()
  for (const called of fields.flatMap(({ id, name }) => [id, name])) {
    for (let dot = called.indexOf('.'); dot >= 0; dot = called.indexOf('.', dot + 1)) {
      groups.add(called.slice(0, dot))
    }
  }
  return groups
}

// An id wins over a name, and the first field over others of its name.
const fieldsByName = ({ fields }: Schema): ReadonlyMap<string, Field> =>
  new Map([
    ...fields.toReversed().map((field) => [field.name, field] as const),
    ...fields.map((field) => [field.id, field] as const),
  ])

/** The values with what filters find their postcodes by: on a field, and the `postcode` filter of volunteers and partners. That is never shown. */
export function withPostcodeKeys(kind: Kind, schema: Schema, values: Values): Values {
  const keyed = Object.entries(values).filter(
    ([id]) => id !== hidden.postcode && !id.startsWith(hidden.postcodeOf),
  )
  const keys = new Set<string>()
  for (const { id } of schema.fields.filter(isPostcodeField)) {
    for (const postcode of postcodesOf(values, [id])) {
      keyed.push([hidden.postcodeOf + id, compactPostcode(postcode)])
      for (const key of postcodeKeys(postcode)) keys.add(key)
    }
  }
  if (kind !== 'members' && keys.size > 0) keyed.push([hidden.postcode, [...keys]])
  return Object.fromEntries(keyed)
}

/** Whether a value says that there is none (decisions 6). */
export const isNoValue = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
