import type { AccessPolicy } from '../access/access-policy.ts'
import { ApiError } from '../model/api-error.ts'
import { isSameJson } from '../model/json.ts'
import type { Values } from '../model/properties/schema.ts'
import { messages, type ValidationError } from '../model/validation-error.ts'
import { isConnectionLost } from '../platform/outage.ts'
import type { UniqueValue } from '../store/read/unique-values.ts'
import type { Store } from '../store/store.ts'
import { readBeforeWrite } from '../store/write/before-write.ts'
import type { NewDocument } from '../store/write/put.ts'
import { commitWrite, type Write, type WriteResult } from '../store/write/write.ts'
import { fillPeople } from './fill-people.ts'
import { parseDocument } from './person.ts'
import { retryWhileChanged } from './retry.ts'
import type { Rules } from './rules.ts'
import type { Counts } from './write.ts'

export type WriteDestination = { store: Store; geography: D1Database }

/** A record of a file. */
export type InputRecord = { id: string; value: unknown }

/** The counts of a batch. If there are errors, nothing was written. */
export type BatchResult = { counts: Counts; errors: (ValidationError & { id: string })[] }

export const noCounts: Counts = { created: 0, updated: 0, unchanged: 0 }

/**
 * How to write the records of a file: `holders` may release unique values to them, and a `dry` run
 * writes nothing.
 */
type HowKept = { holders: (written: readonly NewDocument[]) => string[]; dry?: boolean }

/**
 * Merges a file's records of one collection, with distinct ids, into the stored records; all or
 * none. New records get the next ordinals in the given order, and unchanged records are not
 * written. Nothing is written on a `dry` run, or if another record outside `holders` has one of
 * their unique values.
 */
export function keepRecords(
  to: WriteDestination,
  rules: Rules,
  given: readonly InputRecord[],
  how: HowKept,
): Promise<BatchResult> {
  let lost: Counts | undefined
  return retryWhileChanged(async () => {
    const merged = await mergedRecords(to, rules, given)
    if ('errors' in merged) return { counts: noCounts, errors: merged.errors }
    const { put, counts } = merged
    if (how.dry) return { counts, errors: [] }
    if (put.length > 0) {
      try {
        const { changed, taken } = await write(to.store, rules, merged, how)
        if (changed.length > 0) return undefined
        const errors = put.flatMap((one) => faultsOf(rules, one, taken))
        if (errors.length > 0) return { counts: noCounts, errors }
      } catch (error) {
        if (lost || !isConnectionLost(error)) throw error
        lost = counts
        return undefined
      }
    }
    // Unchanged responses too: importing the file again completes an import that was interrupted
    // here.
    await fillPeople(to, rules.collection, merged.written)
    // If nothing was left to write, the write with the lost response succeeded.
    return { counts: (put.length === 0 && lost) || counts, errors: [] }
  })
}

/** The merged records, the changed ones among them as `put`, and the versions they were merged into. */
type Merged = {
  written: NewDocument[]
  put: NewDocument[]
  counts: Counts
  versions: Write['versions']
}

async function mergedRecords(
  { store, geography }: WriteDestination,
  rules: Rules,
  given: readonly InputRecord[],
): Promise<Merged | Pick<BatchResult, 'errors'>> {
  const { collection } = rules
  const ids = given.map(({ id }) => id)
  const found = await readBeforeWrite(store, { collection, ids, permissions: ['write'] })
  demandWhole(store.policy)
  const before = new Map<string, Values>(
    [...found.records].map(([id, { document }]) => [id, JSON.parse(document)]),
  )
  const { written, errors } = checked(rules, given, before)
  if (errors.length > 0) return { errors }
  const answered = (await rules.answered?.(store, written)) ?? written
  const placed = (await rules.place?.(geography, answered, before)) ?? answered
  const put = placed.filter(({ id, document }) => !isSameJson(JSON.parse(document), before.get(id)))
  const created = put.filter(({ id }) => !before.has(id)).length
  return {
    ...{ written, put },
    counts: { created, updated: put.length - created, unchanged: given.length - put.length },
    versions: put.map(({ id }) => ({ id, version: found.records.get(id)?.version ?? null })),
  }
}

/** Throws 403 if a file would replace values that are hidden from the credential. */
export function demandWhole(view: AccessPolicy): void {
  if (!view.isRedacted) return
  throw new ApiError(
    'FORBIDDEN',
    'A file would replace values that are hidden from these credentials.',
  )
}

/** Returns the values of unique fields. */
export function uniqueOf(rules: Rules, written: readonly NewDocument[]): UniqueValue[] {
  if (rules.unique.length === 0) return []
  return written.flatMap(({ document }) => {
    const values = parseDocument(document)
    return rules.unique
      .filter((field) => Object.hasOwn(values, field))
      .map((field) => ({ field, value: String(values[field]) }))
  })
}

function checked(rules: Rules, given: readonly InputRecord[], before: ReadonlyMap<string, Values>) {
  const written: NewDocument[] = []
  const errors: BatchResult['errors'] = []
  for (const { id, value } of given) {
    const one = rules.merge(before.get(id), value)
    if ('value' in one) written.push(one.value)
    else errors.push(...one.errors.map((fault) => ({ ...fault, id })))
  }
  return { written, errors }
}

/** Writes records unless another request has changed one, or another record has one of their unique values. */
async function write(
  store: Store,
  rules: Rules,
  { put, versions }: Merged,
  { holders }: HowKept,
): Promise<WriteResult> {
  const { result } = await commitWrite(store, {
    ...{ collection: rules.collection, permissions: ['write'], named: [], through: 'import' },
    ...{ put, versions, unique: uniqueOf(rules, put), holders: holders(put) },
  })
  return result
}

const faultsOf = (rules: Rules, written: NewDocument, taken: readonly UniqueValue[]) =>
  uniqueOf(rules, [written])
    .filter(({ field, value }) =>
      taken.some((other) => other.field === field && other.value === value),
    )
    .map(({ field }) => ({
      id: written.id,
      field,
      message: messages.notUnique,
      code: 'not_unique' as const,
    }))
