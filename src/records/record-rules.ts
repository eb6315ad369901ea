import * as z from 'zod'
import { faultsOf } from '../model/checked.ts'
import type { Collection } from '../model/collection.ts'
import { asWritten } from './bounds.ts'
import { mergePatch } from './merge-patch.ts'
import { isObject, notAnObject, type Rules } from './rules.ts'

/** The rules for records of a structured collection, as the organisation's own. */
export function recordRules(collection: Collection, organisationId: string): Rules {
  const { name, id, prepare = (given) => given } = collection
  const record = ownRecord(collection, organisationId)
  const check: Rules['check'] = (given, before) => {
    if (!isObject(given)) return notAnObject
    const parsed = record.safeParse(prepare(given, before))
    return parsed.success
      ? asWritten(String(parsed.data[id]), parsed.data)
      : { faults: faultsOf(parsed.error) }
  }
  return {
    collection: name,
    id,
    unique: [],
    sources: [],
    check,
    merge: (before, patch) => check(mergePatch(before, patch), before),
  }
}

/** A collection's record that is managed by this organisation, also where it does not say so. */
export const ownRecord = ({ record }: Collection, organisationId: string) =>
  record.extend({
    managedBy: z.preprocess(
      (managedBy) => managedBy ?? organisationId,
      z.literal(organisationId, `must be ${organisationId}.`),
    ),
  })
