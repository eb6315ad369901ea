import type { AccessPolicy } from '../access/access-policy.ts'
import { ApiError, invalidInput } from '../model/api-error.ts'
import { isSameJson } from '../model/json.ts'
import type { Schema, Values } from '../model/properties/schema.ts'
import type { ValidationError } from '../model/validation-error.ts'
import type { StoredRecord } from '../store/read/single.ts'
import type { NewDocument } from '../store/write/put.ts'
import type { Change } from './checks.ts'
import type { Rules } from './rules.ts'
import { indexedValues, maxValuesWritten } from './size-limits.ts'
import type { PlannedWrite } from './target.ts'

/**
 * Returns the changes in the order of the planned writes. Throws 400 with every validation error,
 * or if the changes have too many values.
 */
export async function buildChanges(
  geography: D1Database,
  by: { rules: Rules; schema: Schema; view: AccessPolicy },
  intents: readonly PlannedWrite[],
  kept: ReadonlyMap<string, StoredRecord>,
): Promise<Change[]> {
  const before = new Map<string, Values>(
    [...kept].map(([id, { document }]) => [id, JSON.parse(document)]),
  )
  const errors: ValidationError[] = []
  const written: NewDocument[] = []
  const places = new Map<string, string>()
  for (const { id, path, check } of intents) {
    const made = check(by, before.get(id))
    const found = 'errors' in made ? made.errors : []
    const earlier = places.get(id)
    if (earlier !== undefined && id !== '')
      found.push({
        field: by.rules.id,
        message: `is also the id of ${earlier.slice(0, -1)}.`,
        code: 'duplicate',
      })
    places.set(id, path)
    errors.push(...found.map((error) => ({ ...error, field: fieldPath(path, error.field) })))
    if ('value' in made) written.push(made.value)
  }
  if (errors.length > 0) throw invalidInput(errors)
  const placed = (await by.rules.place?.(geography, written, before)) ?? written
  const changes = placed.map((written, at): Change => {
    const { id, document } = written
    const values: Values = JSON.parse(document)
    const place = intents[at]?.path ?? ''
    const known = before.get(id)
    return { place, written, values, before: known, differs: !known || !isSameJson(values, known) }
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
    `One request may change records of at most ${maxValuesWritten.toLocaleString('en-GB')} values, counted before and after the change: send the records in several requests.`,
  )

/** Returns the name of a field in an error, below the path of its record. */
export const fieldPath = (path: string, field: string) => (field ? path + field : path.slice(0, -1))
