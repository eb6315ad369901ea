import type { AccessPolicy } from '../access/access-policy.ts'
import { fieldsIn, propertiesOf } from '../access/collection-properties.ts'
import type { Collection } from '../model/collection.ts'
import type { Kind, Schema, Values } from '../model/properties/schema.ts'
import type { Validated, ValidationError } from '../model/validation-error.ts'
import type { Store } from '../store/store.ts'
import type { NewDocument } from '../store/write/put.ts'

/** The rules of a collection: validation of its records and the values derived from them. */
export type Rules = {
  collection: string
  /** The property that holds a record's id. */
  id: string
  /** The unique fields. */
  unique: readonly string[]
  /** The fields that other fields are derived from; a patch of one writes the whole record. */
  sources: readonly string[]
  /** Whether a document depends on the stored record: a concurrent change then restarts the write. */
  dependsOnBefore?: boolean
  /** Validates a record and returns its document, or every error. `before` is the stored record. */
  check(input: unknown, before?: Values): Validated<NewDocument>
  /**
   * Validates a JSON Merge Patch (RFC 7396) of the stored or a new record, as in `PATCH` and import
   * files, and returns the document, or every error.
   */
  merge(before: Values | undefined, patch: unknown): Validated<NewDocument>
  /** Converts the names in a valid patch to the property names of the stored record. */
  normalisePatch(patch: Record<string, unknown>): Record<string, unknown>
  /** Fills people's fields from their answers to schema forms. */
  addAnswers?(store: Store, written: readonly NewDocument[]): Promise<NewDocument[]>
  /** Adds the areas from the postcode directory to records about to be written. */
  addAreas?(
    geography: D1Database,
    written: readonly NewDocument[],
    before?: ReadonlyMap<string, Values>,
  ): Promise<NewDocument[]>
}

export const notAnObject: { errors: ValidationError[] } = {
  errors: [{ field: '', message: 'is not an object.', code: 'invalid_type' }],
}

/** A collection for writing: its names for messages, and its kind of people or its structure. */
export type RecordType = {
  name: string
  plural: string
  singular: string
  /** The property that holds a record's id. */
  id: string
} & ({ kind: Kind; collection?: undefined } | { kind?: undefined; collection: Collection })

/** The properties of the records of a type. `schema` is that of people, as JSON text. */
export const propertiesOfType = (type: RecordType, schema: string | undefined) =>
  propertiesOf(type.name, {
    fields: fieldsIn(schema),
    record: () => type.collection?.record,
    item: () => type.collection?.item,
  })

export type PlannedWrite = {
  id: string
  /** The prefix of field names in errors: '' or an index in a list, such as 'events.3.'. */
  path: string
  /** Validates the record and returns its document, or every error. */
  check(
    by: { rules: Rules; schema: Schema; policy: AccessPolicy },
    before?: Values,
  ): Validated<NewDocument>
}

/** Plans the write of one record, without a path for its errors. */
export const planOne = (id: string, check: PlannedWrite['check']): PlannedWrite[] => [
  { id, path: '', check },
]

/** Checks a record. Its id, if present, must match the path. */
export function checkWithId(
  { id: idName }: RecordType,
  id: string,
  input: Record<string, unknown>,
  check: (input: Record<string, unknown>) => Validated<NewDocument>,
): Validated<NewDocument> {
  if (!Object.hasOwn(input, idName) || input[idName] === id)
    return check({ ...input, [idName]: id })
  const checked = check({ ...input, [idName]: id })
  const idError = {
    field: idName,
    message: 'must be the one in the path.',
    code: 'read_only' as const,
  }
  return { errors: [idError, ...('errors' in checked ? checked.errors : [])] }
}

const maxBytes = 100_000
const maxValues = 2_000
const maxDepth = 64

/**
 * The maximum number of values that one transaction adds to or removes from the index, because all
 * other requests wait for it.
 */
export const maxValuesWritten = 50_000

/**
 * The document to store, or errors if it is too large: in bytes, in indexed
 * values, or in depth.
 */
export function checkSize(id: string, record: Record<string, unknown>): Validated<NewDocument> {
  const deep = Object.entries(record).filter(([, value]) => isDeeper(value, maxDepth - 1))
  if (deep.length > 0) {
    const message = `must not be nested more than ${maxDepth} deep.`
    return { errors: deep.map(([field]) => ({ field, message, code: 'too_large' })) }
  }
  const document = JSON.stringify(record)
  const reasons = [
    bytesOf(document) > maxBytes && `must have at most ${maxBytes} bytes as JSON.`,
    indexedValues(record) > maxValues && `must have at most ${maxValues} values.`,
  ].filter((message) => message !== false)
  return reasons.length > 0
    ? {
        errors: reasons.map((message) => ({
          field: '',
          message: `The record ${message}`,
          code: 'too_large',
        })),
      }
    : { value: { id, document } }
}

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1)))

const bytesOf = (text: string) =>
  text.length > maxBytes ? text.length : new TextEncoder().encode(text).length

/**
 * The number of values that filters can find: scalars and scalar elements of lists, but
 * nothing in objects inside lists.
 */
export const indexedValues = (value: object): number =>
  Object.values(value).reduce((sum: number, inner: unknown) => {
    if (typeof inner !== 'object') return sum + 1
    if (inner === null || Array.isArray(value)) return sum
    return sum + indexedValues(inner)
  }, 0)
