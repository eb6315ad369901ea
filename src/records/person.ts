import { derivedFieldIds, isPostcodeField, postcodesOf } from '../geography/enrichment.ts'
import { postcodeKeys } from '../geography/postcode.ts'
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
export const personDocument = (kind: Kind, id: string, values: Values) =>
  JSON.stringify({ [kinds[kind].id]: id, ...values })

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
