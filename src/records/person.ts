import { derivedFieldIds, isPostcodeField, postcodesOf } from '../geography/enrichment.ts'
import { postcodeKeys } from '../geography/postcode.ts'
import type { Checked, Fault } from '../model/checked.ts'
import { hidden } from '../model/hidden-keys.ts'
import { sameJson } from '../model/same-json.ts'
import { type Field, type Kind, kinds, type Schema, type Values } from '../model/schema.ts'
import { valueType } from './field-values.ts'

type Given = Record<string, unknown>

/**
 * A person as they are kept, from values by field id or name, nested or dotted (decisions 6): only
 * fields with a value, in schema order. Every fault is named by its field. In place of a person kept
 * before, what was kept and nobody can give stays, and a value that was kept fits.
 */
export function checkPerson(
  kind: Kind,
  schema: Schema,
  given: Given,
  before: Values = {},
): Checked<Values> {
  const { values, faults } = valuesGiven(schema, given, before)
  return faults.length > 0 ? { faults } : { kept: personValues(kind, schema, values, before) }
}

/** A person kept before, with other values in the fields that are given; null takes a value away. */
export function mergedPerson(
  kind: Kind,
  schema: Schema,
  before: Values,
  given: Given,
): Checked<Values> {
  const { values, faults } = valuesGiven(schema, given, before)
  if (faults.length > 0) return { faults }
  const derived = derivedFieldIds(schema.fields)
  const kept = schema.fields
    .filter(({ id }) => !derived.has(id) && Object.hasOwn(before, id))
    .map((field) => [field, before[field.id]] as const)
  return { kept: personValues(kind, schema, new Map([...kept, ...values]), before) }
}

function valuesGiven(schema: Schema, given: Given, before: Values) {
  const faults: Fault[] = []
  const values = new Map<Field, unknown>()
  const derived = derivedFieldIds(schema.fields)
  for (const [key, value] of leavesOf(given, schema)) {
    const field = fieldOf(schema, key)
    if (!field) {
      faults.push({ field: key, reason: 'is not a field of the schema.' })
    } else if (derived.has(field.id)) {
      faults.push({ field: key, reason: 'is derived from the postcode and cannot be given.' })
    } else if (values.has(field)) {
      faults.push({ field: key, reason: `is given twice, as ${field.id} and as ${field.name}.` })
    } else {
      values.set(field, value)
      const canBeNone = isNoValue(value) && field.type !== 'divider'
      const stays = Object.hasOwn(before, field.id) && sameJson(value, before[field.id])
      const checked = canBeNone || stays ? undefined : valueType(field).safeParse(value)
      for (const { message } of checked?.error?.issues.slice(0, 1) ?? []) {
        faults.push({ field: key, reason: message })
      }
    }
  }
  return { values, faults }
}

function personValues(
  kind: Kind,
  schema: Schema,
  given: ReadonlyMap<Field, unknown>,
  before: Values,
): Values {
  const values = schema.fields
    .map((field) => [field.id, given.get(field)] as const)
    .filter(([, value]) => !isNoValue(value))
  const others = [...unseen(kind, schema, before), ...answeredStill(new Map(values), before)]
  return withPostcodeKeys(kind, schema, Object.fromEntries([...values, ...others]))
}

/** What is kept of fields that the schema has no more: it is not shown, so it cannot be given. */
function unseen(kind: Kind, { fields }: Schema, before: Values) {
  const known = new Set([kinds[kind].id, ...fields.map(({ id }) => id), ...derivedFieldIds(fields)])
  return Object.entries(before).filter(([key]) => !known.has(key) && !key.startsWith('$'))
}

/** The dates of the answers that values are taken from, where these are as before. */
function answeredStill(values: ReadonlyMap<string, unknown>, before: Values) {
  const dates = Object.entries(before[hidden.answered] ?? {}).filter(([field]) =>
    sameJson(values.get(field), before[field]),
  )
  return dates.length > 0 ? [[hidden.answered, Object.fromEntries(dates)] as const] : []
}

/** The given keys with their values; an object nests fields, as deep as the schema's keys go. */
function* leavesOf(given: Given, schema: Schema, prefix = ''): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(given)) {
    const key = prefix + name
    if (
      isObject(value) &&
      schema.fields.some(({ id, name }) => nests(key, id) || nests(key, name))
    ) {
      yield* leavesOf(value, schema, `${key}.`)
    } else {
      yield [key, value]
    }
  }
}

// An id wins over a name.
const fieldOf = ({ fields }: Schema, key: string) =>
  fields.find(({ id }) => id === key) ?? fields.find(({ name }) => name === key)

/** The values with what the `postcode` filter of volunteers and partners finds them by; that is never shown. */
export function withPostcodeKeys(kind: Kind, schema: Schema, values: Values): Values {
  if (kind === 'members') return values
  const { [hidden.postcode]: _replaced, ...others } = values
  const keys = postcodesOf(
    values,
    schema.fields.filter(isPostcodeField).map(({ id }) => id),
  ).flatMap(postcodeKeys)
  return keys.length > 0 ? { ...others, [hidden.postcode]: [...new Set(keys)] } : others
}

/** Whether a value says that there is none (decisions 6). */
export const isNoValue = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nests = (prefix: string, key: string) => key.startsWith(`${prefix}.`)
