import * as z from 'zod'
import type { AccessPolicy } from '../access/access-policy.ts'
import type { Collection } from '../model/collection.ts'
import { isObject } from '../model/json.ts'
import { recordType } from '../model/properties/record-type.ts'
import type { Values } from '../model/properties/schema.ts'
import { type ValidationError, validate } from '../model/validation-error.ts'
import { mergePatch } from './merge-patch.ts'
import { checkSize, notAnObject, type Rules } from './rules.ts'

/**
 * The rules for records of a structured collection. Properties hidden from the caller keep
 * their values.
 */
export function recordRules(
  collection: Collection,
  organisationId: string,
  policy?: AccessPolicy,
): Rules {
  const { name, id, prepare = (input) => input, findErrors, counted = [] } = collection
  const record = ownRecord(collection, organisationId)
  const hiddenProperties = policy?.hiddenProperties(name, collection.record)
  const check: Rules['check'] = (input, before) => {
    if (!isObject(input)) return notAnObject
    const { record: whole, refused } = hiddenProperties?.restore(input, before) ?? unrestored(input)
    if (refused.length > 0) return { errors: refused.map(hiddenError) }
    const checked = validate(record, prepare(whole, before))
    if ('errors' in checked) return checked
    const errors = findErrors?.(checked.value) ?? []
    return errors.length > 0 ? { errors } : checkSize(String(checked.value[id]), checked.value)
  }
  return {
    collection: name,
    id,
    unique: [],
    sources: counted,
    dependsOnBefore: counted.length > 0,
    check,
    merge: (before, patch) =>
      check(mergePatch((before && hiddenProperties?.redact(before)) ?? before, patch), before),
    normalisePatch: (patch) => patch,
  }
}

const unrestored = (record: Values) => ({ record, refused: [] })

/** The error for a value of a property that is hidden from the caller. */
export const hiddenError = (field: string): ValidationError => ({
  field,
  message: 'is hidden from these credentials: omit it, or send it as they see it.',
  code: 'hidden',
})

/** The Zod type of a record of this organisation. The input may omit `managedBy`. */
export const ownRecord = ({ record }: Collection, organisationId: string) =>
  recordType(record).extend({
    managedBy: z.preprocess(
      (managedBy) => managedBy ?? organisationId,
      z.literal(organisationId, `must be ${organisationId}.`),
    ),
  })
