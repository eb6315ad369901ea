import { uniqueOf } from '../records/keep.ts'
import type { Unique } from '../store/owners.ts'
import type { Written } from '../store/put.ts'
import type { Store } from '../store/store.ts'
import type { FileFault } from './read.ts'
import type { Target } from './target.ts'

type Given = { record: number; line: number; holder?: string }

const mostAsked = 5000

/** The values a file gives to fields in which no two records of an organisation may be alike (contract 2.5, `uniqueId`). */
export class UniqueValues {
  readonly #target: Target
  readonly #givenBy = new Map<string, Map<string, Given>>()

  constructor(target: Target) {
    this.#target = target
    for (const field of target.unique) this.#givenBy.set(field, new Map())
  }

  /** Takes note of the values of the file's record of this number; a fault for each that an earlier one gave. */
  add(record: number, line: number, written: Written): FileFault[] {
    return uniqueOf(this.#target, [written]).flatMap(({ field, value }) => {
      const givenBy = this.#givenBy.get(field)
      if (givenBy?.has(value)) return [{ line, field, reason: 'has the value of an earlier line.' }]
      givenBy?.set(value, { record, line })
      return []
    })
  }

  /** A fault, with the number of the file's record, for each value that a record has which is already kept and which the file does not replace. */
  async takenBefore(
    store: Store,
    replaced: ReadonlySet<string>,
  ): Promise<(FileFault & { record: number })[]> {
    const faults: (FileFault & { record: number })[] = []
    for (const [field, givenBy] of this.#givenBy) {
      const values: Unique[] = [...givenBy.keys()].map((value) => ({ field, value }))
      for (let from = 0; from < values.length; from += mostAsked) {
        const asked = values.slice(from, from + mostAsked)
        for (const owner of await store.owners(this.#target.collection, asked)) {
          const given = givenBy.get(owner.value)
          if (!given) continue
          const { record, line } = given
          if (replaced.has(owner.id)) given.holder = owner.id
          else faults.push({ record, line, field, reason: 'has the value of another record.' })
        }
      }
    }
    return faults
  }

  /** The records that the file replaces and that still hold values of these. */
  holders(written: readonly Written[]): string[] {
    return uniqueOf(this.#target, written).flatMap(
      ({ field, value }) => this.#givenBy.get(field)?.get(value)?.holder ?? [],
    )
  }
}
