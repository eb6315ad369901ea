import { valuesOf } from '../records/person.ts'
import { findOwners } from '../store/owners.ts'
import type { Written } from '../store/put.ts'
import type { FileFault } from './read.ts'
import type { Target } from './target.ts'

/** The values a file gives to fields in which no two records of an organisation may be alike (contract 2.5, `uniqueId`). */
export class UniqueValues {
  readonly #target: Target
  readonly #givenBy = new Map<string, Map<string, { line: number; id: string }>>()

  constructor(target: Target) {
    this.#target = target
    for (const field of target.unique) this.#givenBy.set(field, new Map())
  }

  /** Takes note of a record's values; a fault for each that an earlier line gave. */
  add(line: number, { id, document }: Written): FileFault[] {
    if (this.#givenBy.size === 0) return []
    const values = valuesOf(document)
    return [...this.#givenBy].flatMap(([field, givenBy]) => {
      if (!Object.hasOwn(values, field)) return []
      const value = String(values[field])
      const earlier = givenBy.get(value)
      if (earlier) return [{ line, field, reason: `has the value of line ${earlier.line}.` }]
      givenBy.set(value, { line, id })
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
          if (!given || replaced.has(owner.id)) continue
          faults.push({ line: given.line, field, reason: 'has the value of another record.' })
        }
      }
    }
    return faults
  }
}
