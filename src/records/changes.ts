import type { AccessPolicy } from '../access/access-policy.ts'
import { ApiError, invalidInput } from '../model/api-error.ts'
import { collectionTitle } from '../model/collection.ts'
import { isSameJson } from '../model/json.ts'
import type { Schema, Values } from '../model/properties/schema.ts'
import { type Reference, referencedIds, references } from '../model/references.ts'
import type { ValidationError } from '../model/validation-error.ts'
import { formatNumber } from '../platform/format-number.ts'
import type { StoredRecord } from '../store/read/single.ts'
import type { UniqueValue } from '../store/read/unique-values.ts'
import type { NewDocument } from '../store/write/put.ts'
import type { ReferencedRecord, WriteResult } from '../store/write/write.ts'
import { indexedValues, maxValuesWritten, type PlannedWrite, type Rules } from './rules.ts'

/**
 * A record to write. `prefix` precedes its field names in errors; `differs` is false if the stored
 * record is the same.
 */
export type PlannedChange = {
  prefix: string
  written: NewDocument
  values: Values
  before: Values | undefined
  differs: boolean
}

/**
 * The uniqueness checks of changes: `errors` has the duplicates among the changes, `values` the
 * values to look up in other records.
 */
export class UniqueChecks {
  readonly values: UniqueValue[] = []
  readonly errors: ValidationError[] = []
  readonly #fieldNames = new Map<string, string>()

  constructor(fields: readonly string[], changes: readonly PlannedChange[], areAllNew = false) {
    for (const { prefix, values, before, differs } of changes) {
      for (const field of fields.filter((field) => Object.hasOwn(values, field))) {
        const value = String(values[field])
        const key = JSON.stringify([field, value])
        const name = prefix + field
        const earlier = this.#fieldNames.get(key)
        if (earlier !== undefined)
          this.errors.push({
            field: name,
            message: `has the same value as ${earlier}.`,
            code: 'duplicate',
          })
        else this.#fieldNames.set(key, name)
        const isNew = !before || (areAllNew && differs) || !isSameJson(values[field], before[field])
        if (isNew) this.values.push({ field, value })
      }
    }
  }

  /** The errors for values that another record has. */
  taken({ taken }: Pick<WriteResult, 'taken'>, singular: string): ValidationError[] {
    return taken.map(({ field, value }) => ({
      field: this.#fieldNames.get(JSON.stringify([field, value])) ?? field,
      message: `is already used by another ${singular}.`,
      code: 'not_unique',
    }))
  }
}

/** The records that a record references. */
export const referencedRecords = (collection: string, values: Values): ReferencedRecord[] =>
  references
    .filter(({ from }) => from === collection)
    .flatMap((reference) =>
      referencedIds(reference, values).flatMap(({ path, id }) =>
        isNone(reference, path, id) ? [] : [{ to: reference.to, id }],
      ),
    )

/** Whether a reference that may be empty is. */
const isNone = (reference: Reference, path: string, id: string) =>
  reference.optional && id === '' && path === reference.path

/** The distinct records that the changes newly reference, with the referring fields. */
export class ReferenceChecks {
  readonly #references = new Map<string, { referenced: ReferencedRecord; fields: string[] }>()

  constructor(collection: string, changes: readonly PlannedChange[]) {
    for (const reference of references.filter(({ from }) => from === collection)) {
      const { to } = reference
      for (const { prefix, values, before } of changes) {
        const known = new Set(referencedIds(reference, before ?? {}).map(({ id }) => id))
        for (const { path, id } of referencedIds(reference, values)) {
          if (known.has(id) || isNone(reference, path, id)) continue
          const key = JSON.stringify([to, id])
          const { fields = [] } = this.#references.get(key) ?? {}
          this.#references.set(key, { referenced: { to, id }, fields: [...fields, prefix + path] })
        }
      }
    }
  }

  get referenced(): ReferencedRecord[] {
    return [...this.#references.values()].map(({ referenced }) => referenced)
  }

  /** The errors for referenced records that do not exist. */
  missing({ missing }: WriteResult): ValidationError[] {
    const entries = [...this.#references.values()]
    return missing.flatMap((index) => {
      const { referenced, fields } = entries[index] ?? { fields: [] }
      const message = `must be the id of one of the ${referenced && collectionTitle(referenced.to)}.`
      return fields.map((field) => ({ field, message, code: 'not_found' }))
    })
  }
}

/**
 * Builds the changes in the order of the planned writes. Throws 400 with every validation error, or
 * if the changes have too many values.
 */
export async function buildChanges(
  geography: D1Database,
  by: { rules: Rules; schema: Schema; policy: AccessPolicy },
  writes: readonly PlannedWrite[],
  stored: ReadonlyMap<string, StoredRecord>,
): Promise<PlannedChange[]> {
  const before = new Map<string, Values>(
    [...stored].map(([id, { document }]) => [id, JSON.parse(document)]),
  )
  const errors: ValidationError[] = []
  const written: NewDocument[] = []
  const paths = new Map<string, string>()
  for (const { id, path, check } of writes) {
    const checked = check(by, before.get(id))
    const recordErrors = 'errors' in checked ? checked.errors : []
    const earlier = paths.get(id)
    if (earlier !== undefined && id !== '')
      recordErrors.push({
        field: by.rules.id,
        message: `is also the id of ${earlier.slice(0, -1)}.`,
        code: 'duplicate',
      })
    paths.set(id, path)
    errors.push(...recordErrors.map((error) => ({ ...error, field: fieldPath(path, error.field) })))
    if ('value' in checked) written.push(checked.value)
  }
  if (errors.length > 0) throw invalidInput(errors)
  const documents = (await by.rules.addAreas?.(geography, written, before)) ?? written
  const changes = documents.map((written, index): PlannedChange => {
    const { id, document } = written
    const values: Values = JSON.parse(document)
    const prefix = writes[index]?.path ?? ''
    const known = before.get(id)
    return { prefix, written, values, before: known, differs: !known || !isSameJson(values, known) }
  })
  const valuesWritten = changes
    .filter(({ differs }) => differs)
    .reduce((sum, it) => sum + indexedValues(it.values) + indexedValues(it.before ?? {}), 0)
  if (valuesWritten > maxValuesWritten) throw tooManyValues()
  return changes
}

const tooManyValues = () =>
  new ApiError(
    'BAD_REQUEST',
    `One request may change records of at most ${formatNumber(maxValuesWritten)} values, counted before and after the change: send the records in several requests.`,
  )

/** Adds the path of a record to the name of a field, for errors. */
export const fieldPath = (path: string, field: string) => (field ? path + field : path.slice(0, -1))
