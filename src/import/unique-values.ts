import { uniqueOf } from '../records/keep.ts'
import { findOwners, type Unique } from '../store/owners.ts'
import type { Written } from '../store/put.ts'
import type { FileFault } from './read.ts'
import type { Target } from './target.ts'

type Given = { line: number; holder?: string }

/** The values a file gives to fields in which no two records of an organisation may be alike (contract 2.5, `uniqueId`). */
export class UniqueValues {
  readonly #target: Target
  readonly #givenBy = new Map<string, Map<string, Given>>()

  constructor(target: Target) {
    this.#target = target
    for (const field of target.unique) this.#givenBy.set(field, new Map())
  }

  /** Takes note of a record's values; a fault for each that an earlier line gave. */
  add(line: number, written: Written): FileFault[] {
    return uniqueOf(this.#target, [written]).flatMap(({ field, value }) => {
      const earlier = this.#givenBy.get(field)?.get(value)
      if (earlier) return [{ line, field, reason: `has the value of line ${earlier.line}.` }]
      this.#givenBy.get(field)?.set(value, { line })
      return []
    })
  }

  /** A fault for each value that a record has which is already kept and which the file does not replace. */
  async takenBefore(
    db: D1Database,
    organisationId: string,
    replaced: ReadonlyMap<string, number>,
  ): Promise<FileFault[]> {
    const faults: FileFault[] = []
    for (const [field, givenBy] of this.#givenBy) {
      const values = [...givenBy.keys()].map((value) => ({ field, value }))
      for (let from = 0; from < values.length; from += 1000) {
        const scope = { organisationId, collection: this.#target.collection }
        for (const owner of await findOwners(db, scope, values.slice(from, from + 1000))) {
          const given = givenBy.get(owner.value)
          if (!given) continue
          if (replaced.has(owner.id)) given.holder = owner.id
          else faults.push({ line: given.line, field, reason: isTaken })
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

  /** The faults of the lines that give the values that were taken. */
  faults(
    written: readonly Written[],
    lines: readonly number[],
    taken: readonly Unique[],
  ): FileFault[] {
    return written.flatMap((one, place) =>
      uniqueOf(this.#target, [one])
        .filter(({ field, value }) =>
          taken.some((other) => other.field === field && other.value === value),
        )
        .map(({ field }) => ({ line: lines[place] ?? 0, field, reason: isTaken })),
    )
  }
}

const isTaken = 'has the value of another record.'
