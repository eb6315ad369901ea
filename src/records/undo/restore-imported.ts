import { ApiError } from '../../model/api-error.ts'
import type { ChangeSource } from '../../model/author.ts'
import type { AffectedRecord } from '../../store/imports/affected-records.ts'
import { planRestore } from '../restore.ts'
import { indexedValues, maxValuesWritten, type RecordType } from '../rules.ts'
import { type WriteParts, writeRecords } from '../write.ts'

/** A record that the undo left, and the reason. */
export type LeftRecord = {
  collection: string
  id: string
  reason: 'changed' | 'deleted' | 'referenced' | 'invalid'
}

/** The databases and the types of the collections that an undo uses. */
export type UndoParts = WriteParts & { findType: (collection: string) => Promise<RecordType> }

/** Records of one collection that an import updated or a bulk deletion deleted, and the change source of the undo. */
type UpdatedRecords = {
  collection: string
  records: readonly AffectedRecord[]
  source: ChangeSource
}

/**
 * Restores the versions of records before an import, and deleted records. Returns the records that it did not restore,
 * because they changed during the undo or because their previous document is not valid now: for
 * example, another record has its unique value, or a record that it refers to does not exist.
 */
export async function restoreImported(
  parts: UndoParts,
  { collection, records, source }: UpdatedRecords,
): Promise<LeftRecord[]> {
  const type = await parts.findType(collection)
  const left: LeftRecord[] = []
  for (const batch of splitByValues(records)) {
    let remaining = batch
    while (remaining.length > 0) {
      const refused = await tryRestore(parts, type, remaining, source)
      if (refused.size === 0) break
      for (const [index, reason] of refused)
        left.push({ collection, id: remaining[index]?.id ?? '', reason })
      remaining = remaining.filter((_, index) => !refused.has(index))
    }
  }
  return left
}

/** Restores records, all or none. Returns the index and reason of every obstacle. */
async function tryRestore(
  parts: UndoParts,
  type: RecordType,
  records: readonly AffectedRecord[],
  source: ChangeSource,
): Promise<Map<number, LeftRecord['reason']>> {
  const changed = new Map<number, 'changed'>()
  const plans = records.map(({ id, previous }, index) =>
    planRestore(type, { id, document: previous ?? '{}' }, `${index}.`),
  )
  try {
    await writeRecords(parts, type, plans, {
      permissions: ['write', 'read'],
      requiresSameVersion: true,
      isRestore: records.some((record) => record.change === 'deleted'),
      source,
      check(stored) {
        changed.clear()
        for (const [index, { id, version }] of records.entries())
          if ((stored.get(id)?.version ?? null) !== version) changed.set(index, 'changed')
        if (changed.size > 0) throw new ApiError('CONFLICT', 'Another request changed a record.')
      },
    })
  } catch (error) {
    if (changed.size > 0) return changed
    const invalid = error instanceof ApiError ? error.errors.flatMap(findIndex) : []
    if (invalid.length === 0) throw error
    return new Map(invalid.map((index) => [index, 'invalid']))
  }
  return new Map()
}

const findIndex = ({ field }: { field: string }): number[] => {
  const [, index] = /^(\d+)(?:\.|$)/.exec(field) ?? []
  return index === undefined ? [] : [Number(index)]
}

/** Splits records so that one transaction changes at most the allowed number of values. */
export function splitByValues(records: readonly AffectedRecord[]): AffectedRecord[][] {
  const batches: AffectedRecord[][] = []
  let values = Number.POSITIVE_INFINITY
  for (const record of records) {
    const count = [record.document, record.previous ?? '{}']
      .map((document) => indexedValues(JSON.parse(document)))
      .reduce((sum, more) => sum + more)
    values += count
    if (values > maxValuesWritten) {
      batches.push([])
      values = count
    }
    batches.at(-1)?.push(record)
  }
  return batches
}
