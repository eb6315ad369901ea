import { messages } from '../model/validation-error.ts'
import { uniqueOf } from '../records/upsert-batch.ts'
import { findUniqueValueOwners, type UniqueValue } from '../store/read/unique-values.ts'
import type { Store } from '../store/store.ts'
import type { NewDocument } from '../store/write/put.ts'
import type { LineError } from './read/source.ts'
import type { ImportTarget } from './targets/target.ts'

type ValueSource = { record: number; line: number; holder?: string }

const maxValuesPerQuery = 5000

/** Collects a file's values for unique fields and checks that each occurs once (contract 2.5, `uniqueId`). */
export class UniqueValues {
  readonly #target: ImportTarget
  readonly #sources = new Map<string, Map<string, ValueSource>>()

  constructor(target: ImportTarget) {
    this.#target = target
    for (const field of target.unique) this.#sources.set(field, new Map())
  }

  /** Takes note of the values of the file's record of this number; a fault for each that an earlier one gave. */
  add(record: number, line: number, written: NewDocument): LineError[] {
    return uniqueOf(this.#target, [written]).flatMap(({ field, value }) => {
      const sources = this.#sources.get(field)
      if (sources?.has(value))
        return [{ line, field, message: 'has the value of an earlier line.', code: 'duplicate' }]
      sources?.set(value, { record, line })
      return []
    })
  }

  /** A fault, with the number of the file's record, for each value that a record has which is already kept and which the file does not replace. */
  async findTaken(
    store: Store,
    replacedIds: ReadonlySet<string>,
  ): Promise<(LineError & { record: number })[]> {
    const errors: (LineError & { record: number })[] = []
    for (const [field, sources] of this.#sources) {
      const values: UniqueValue[] = [...sources.keys()].map((value) => ({ field, value }))
      for (let from = 0; from < values.length; from += maxValuesPerQuery) {
        const batch = values.slice(from, from + maxValuesPerQuery)
        for (const owner of await findUniqueValueOwners(store, this.#target.collection, batch)) {
          const valueSource = sources.get(owner.value)
          if (!valueSource) continue
          const { record, line } = valueSource
          if (replacedIds.has(owner.id)) valueSource.holder = owner.id
          else {
            errors.push({ record, line, field, message: messages.notUnique, code: 'not_unique' })
          }
        }
      }
    }
    return errors
  }

  /** The records that the file replaces and that still hold values of these. */
  currentHolders(written: readonly NewDocument[]): string[] {
    return uniqueOf(this.#target, written).flatMap(
      ({ field, value }) => this.#sources.get(field)?.get(value)?.holder ?? [],
    )
  }
}
