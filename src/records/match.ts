import type { AccessPolicy } from '../access/access-policy.ts'
import type { Permission } from '../access/permissions.ts'
import { ApiError, conflictingInput, invalidField, invalidInput } from '../model/api-error.ts'
import { formatRecordCount, singularTitle } from '../model/collection.ts'
import { isObject, valueAt } from '../model/json.ts'
import type { Values } from '../model/properties/schema.ts'
import { type QueryField, resolveField } from '../model/query/resolve.ts'
import type { Validated, ValidationError } from '../model/validation-error.ts'
import { valueTypes } from '../model/value-types.ts'
import { isLong } from '../store/bitmap/bits.ts'
import type { StoredRecord } from '../store/read/single.ts'
import type { Store } from '../store/store.ts'
import { type Match, type MatchValue, readMatches } from '../store/write/match.ts'
import type { NewDocument } from '../store/write/put.ts'
import type { ValueMatches } from '../store/write/write.ts'
import { fieldPath } from './changes.ts'
import {
  notAnObject,
  type PlannedWrite,
  propertiesOfType,
  type RecordType,
  type Rules,
} from './rules.ts'

/** Records to write that the value of a field identifies, instead of the id. */
export type FieldUpsert = {
  by: string
  inputs: readonly { path: string; input: unknown }[]
  /** Validates an input that has the id of its stored or new record. */
  check(rules: Rules, input: Values, before?: Values): Validated<NewDocument>
}

/** The writes with the ids of their records, the stored records by id, and the matches that must still hold in the transaction. */
type MatchedWrites = {
  writes: PlannedWrite[]
  records: ReadonlyMap<string, StoredRecord>
  matches: ValueMatches
}

type MatchInput = { path: string; input: Values; value: MatchValue }

/**
 * Finds the stored record for each input of an upsert; inputs without one get a new id. Throws 400
 * for an unknown or hidden field and for invalid inputs, 403 for a key that cannot see all
 * records, and 409 if several records have a value.
 */
export async function matchRecords(
  store: Store,
  type: RecordType,
  { rules, schema }: { rules: Rules; schema: string | undefined },
  upsert: FieldUpsert,
  permissions: readonly Permission[],
): Promise<MatchedWrites> {
  const { by } = upsert
  const field = findMatchField(store.policy, type, schema, by)
  const inputs = readInputs(rules, upsert, field)
  const { matches, existingIds } = await readMatches(store, {
    collection: type.name,
    permissions,
    field: by,
    values: inputs.map(({ value }) => value),
    ids: inputs.flatMap(({ input: { [type.id]: id } }) => (typeof id === 'string' ? [id] : [])),
  })
  const pairs = inputs.map((input, index) => [input, matches[index] ?? noMatch] as const)
  rejectSeveral(type, by, pairs)
  const errors: ValidationError[] = []
  const planned = pairs.map(
    ([
      { path, input, value },
      {
        ids: [matchedId],
        count,
        record,
      },
    ]) => {
      const { [type.id]: inputId } = input
      const newId = typeof inputId === 'string' ? inputId : crypto.randomUUID()
      const id = matchedId ?? newId
      const message = matchedId
        ? `must be absent, or the id of the ${singularTitle(type.singular)} with this ${by}.`
        : `is the id of a record with another ${by}.`
      if (matchedId ? inputId !== undefined && inputId !== id : existingIds.has(id))
        errors.push({ field: path + type.id, message, code: 'conflict' })
      const check: PlannedWrite['check'] = ({ rules }, before) =>
        checkValue(upsert.check(rules, { [type.id]: id, ...input }, before), by, field, value)
      return { write: { id, path, check }, record, match: { id, value, count } }
    },
  )
  if (errors.length > 0) throw invalidInput(errors)
  return {
    writes: planned.map(({ write }) => write),
    records: new Map(planned.flatMap(({ write, record }) => (record ? [[write.id, record]] : []))),
    matches: { field: by, records: planned.map(({ match }) => match) },
  }
}

const noMatch: Match = { count: 0, ids: [], record: undefined }

/** The field of `$by`. A hidden field is unknown. */
function findMatchField(
  policy: AccessPolicy,
  type: RecordType,
  schema: string | undefined,
  by: string,
): QueryField {
  const field = resolveField('$by', by, propertiesOfType(type, schema).queryFields(policy))
  if (!valueTypes[field.type].canIdentify)
    throw invalidField('$by', 'invalid_type', 'must be a field with a text or a number.')
  // A match would reveal a value of a hidden record.
  const [hidden] = policy.hiddenRecords(type.name)
  if (hidden)
    throw new ApiError('FORBIDDEN', `These credentials may not see ${hidden.name}: use ids.`)
  return field
}

/** The inputs with their values. Throws 400 for missing, invalid and repeated values. */
function readInputs(rules: Rules, { by, inputs }: FieldUpsert, field: QueryField): MatchInput[] {
  const errors: ValidationError[] = []
  const names = new Map<unknown, string>()
  const read = inputs.flatMap(({ path, input }): MatchInput[] => {
    const name = path + by
    const add = (error: Omit<ValidationError, 'field'>) => {
      errors.push({ field: name, ...error })
      return []
    }
    if (!isObject(input)) {
      errors.push(...notAnObject.errors.map((it) => ({ ...it, field: fieldPath(path, it.field) })))
      return []
    }
    const values = { ...rules.normalisePatch(input), [rules.id]: input[rules.id] }
    const value = valueAt(values, field.path)
    if (value === undefined || value === null || value === '')
      return add({ message: 'must have a value, which identifies the record.', code: 'required' })
    if (typeof value !== 'string' && typeof value !== 'number')
      return add({ message: 'must be a text or a number.', code: 'invalid_type' })
    if (isLong(value))
      return add({ message: 'must have at most 256 bytes to identify a record.', code: 'too_long' })
    const earlier = names.get(value)
    if (earlier !== undefined)
      return add({ message: `has the same value as ${earlier}.`, code: 'duplicate' })
    names.set(value, name)
    return [{ path, input, value }]
  })
  if (errors.length > 0) throw invalidInput(errors)
  return read
}

/** Throws 409 if several records have one of the values. */
function rejectSeveral(
  { name }: RecordType,
  by: string,
  pairs: readonly (readonly [MatchInput, Match])[],
): void {
  const errors = pairs.flatMap(([{ path }, { count, ids }]): ValidationError[] => {
    if (count < 2) return []
    const examples = count > ids.length ? `, such as ${ids.join(', ')}` : `: ${ids.join(', ')}`
    const message = `${formatRecordCount(count, name)} have this value${examples}.`
    return [{ field: path + by, message, code: 'ambiguous' }]
  })
  if (errors.length > 0) throw conflictingInput(errors)
}

/** Rejects a record that is stored with another value, such as a masked account number: repeating its upsert would create it again. */
function checkValue(
  checked: Validated<NewDocument>,
  by: string,
  { path }: QueryField,
  value: MatchValue,
): Validated<NewDocument> {
  if ('errors' in checked || valueAt(JSON.parse(checked.value.document), path) === value)
    return checked
  const message = 'is stored as another value, so it cannot identify a record.'
  return { errors: [{ field: by, message, code: 'not_allowed' }] }
}
