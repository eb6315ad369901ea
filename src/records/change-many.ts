import { ApiError } from '../model/api-error.ts'
import type { ChangeSource } from '../model/author.ts'
import type { Values } from '../model/properties/schema.ts'
import type { ValidationError } from '../model/validation-error.ts'
import type { PlannedWrite, RecordType } from './rules.ts'
import { type WriteParts, writeRecords } from './write.ts'

/** The records that were changed or already had the values, and the errors of the others by id. */
type ChangeResult = {
  changed: number
  unchanged: number
  failed: ReadonlyMap<string, string>
}

/** The number of records in a transaction. */
const batchSize = 50

/**
 * Merges a patch into each of some records, in transactions of up to 50. `patch` receives the stored record. Doing it
 * again changes nothing more. If some records cannot be changed, the others of their transaction are tried again
 * without them. A record that no longer exists is not created.
 */
export async function changeMany(
  parts: WriteParts,
  type: RecordType,
  ids: readonly string[],
  patch: (record: Values) => Values,
  source?: ChangeSource,
): Promise<ChangeResult> {
  const failed = new Map<string, string>()
  const counts = { changed: 0, unchanged: 0 }
  const distinct = [...new Set(ids)]
  for (let start = 0; start < distinct.length; start += batchSize)
    await changeBatch(distinct.slice(start, start + batchSize))
  return { ...counts, failed }

  async function changeBatch(batch: readonly string[]): Promise<void> {
    if (batch.length === 0) return
    const plan = batch.map(
      (id, index): PlannedWrite => ({
        id,
        // Errors name the record by its index in the batch, as `3.name`.
        path: `${index}.`,
        check: ({ rules }, before) =>
          before ? rules.merge(before, { ...patch(before), [type.id]: id }) : { errors: [gone] },
      }),
    )
    try {
      const options = { permissions: ['write'], returnsCounts: true, source } as const
      const { response } = await writeRecords(parts, type, plan, options)
      const { updated, unchanged } = JSON.parse(response.text ?? '{}')
      counts.changed += updated
      counts.unchanged += unchanged
    } catch (error) {
      if (!(error instanceof ApiError) || error.errors.length === 0) throw error
      const messages = groupByIndex(error.errors, batch.length)
      // An error that names no record: halve the batch until one record is left with it.
      if (messages.size === 0 && batch.length > 1) {
        const middle = Math.ceil(batch.length / 2)
        await changeBatch(batch.slice(0, middle))
        return changeBatch(batch.slice(middle))
      }
      if (messages.size === 0) messages.set(0, error.message)
      for (const [index, message] of messages) failed.set(batch[index] ?? '', message)
      await changeBatch(batch.filter((_, index) => !messages.has(index)))
    }
  }
}

const gone: ValidationError = { field: '', message: 'It no longer exists.', code: 'not_found' }

/** The message of each record that errors name by its index. */
function groupByIndex(errors: readonly ValidationError[], count: number): Map<number, string> {
  const messages = new Map<number, string>()
  for (const { field, message } of errors) {
    const [, number, name = ''] = /^(\d+)(?:\.(.*))?$/.exec(field) ?? []
    const index = Number(number)
    if (number === undefined || index >= count || messages.has(index)) continue
    messages.set(index, name === '' ? message : `${name}: ${message}`)
  }
  return messages
}
