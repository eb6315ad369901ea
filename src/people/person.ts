import type { Checked, Fault } from '../store/checked.ts'
import type { Kind } from '../store/store.ts'
import { valueType } from './field-values.ts'
import type { Values } from './layout.ts'
import { isPostcodeField, postcodeKeys } from './postcode.ts'
import type { Field, Schema } from './schema.ts'

type Given = Record<string, unknown>

/**
 * A person as they are kept, from values by field id or name, nested or dotted (decisions 6): only
 * fields with a value, in schema order. Every fault is named by its field.
 */
export function checkPerson(kind: Kind, schema: Schema, given: Given): Checked<Values> {
  const faults: Fault[] = []
  const values = new Map<Field, unknown>()
  for (const [key, value] of leavesOf(given, schema)) {
    const field = fieldOf(schema, key)
    if (!field) {
      faults.push({ field: key, reason: 'is not a field of the schema.' })
    } else if (values.has(field)) {
      faults.push({ field: key, reason: `is given twice, as ${field.id} and as ${field.name}.` })
    } else {
      values.set(field, value)
      const checked = isNoValue(value) ? undefined : valueType(field).safeParse(value)
      for (const { message } of checked?.error?.issues.slice(0, 1) ?? []) {
        faults.push({ field: key, reason: message })
      }
    }
  }
  if (faults.length > 0) return { faults }
  const entries = schema.fields
    .map((field) => [field.id, values.get(field)] as const)
    .filter(([, value]) => !isNoValue(value))
  return { kept: Object.fromEntries([...entries, ...postcodeEntries(kind, schema, values)]) }
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

/** What the `postcode` filter of volunteers and partners finds a record by; never shown. */
function postcodeEntries(kind: Kind, schema: Schema, values: Map<Field, unknown>) {
  if (kind === 'members') return []
  const keys = schema.fields
    .filter(isPostcodeField)
    .map((field) => values.get(field))
    .flatMap((value) => (typeof value === 'string' && value !== '' ? postcodeKeys(value) : []))
  return keys.length > 0 ? [['$postcode', [...new Set(keys)]]] : []
}

const isNoValue = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nests = (prefix: string, key: string) => key.startsWith(`${prefix}.`)
