import { uniqueOf } from '../../records/keep.ts'
import type { Rules } from '../../records/rules.ts'
import type { Unique } from '../../store/owners.ts'
import type { Written } from '../../store/put.ts'
import type { Destination } from './destination.ts'

/** Sees to it that no two records of a table, nor of those kept, have a value that only one may have. */
export class UniqueRows {
  readonly #to: Destination
  readonly #rules: Rules
  /** The values of the table so far, and the records they are of. */
  readonly #values = new Set<string>()
  readonly #given = new Set<string>()

  constructor(to: Destination, rules: Rules) {
    this.#to = to
    this.#rules = rules
  }

  /** Those of some rows, the next of the table, whose records have no value of another's; `refuse` is told of the others. */
  async among<One extends { written: Written }>(
    rows: readonly One[],
    refuse: (one: One, field: string, reason: string) => void,
  ): Promise<readonly One[]> {
    const { unique, collection } = this.#rules
    if (unique.length === 0) return rows
    const values = new Map(rows.map((one) => [one, uniqueOf(this.#rules, [one.written])]))
    const owners = await this.#to.owners(collection, [...values.values()].flat())
    const holders = new Map(owners.map(({ id, field, value }) => [keyOf({ field, value }), id]))
    // Whoever is refused keeps their value, so that another cannot have it either.
    for (let good = rows; ; ) {
      const given = new Set<string>()
      const own = new Map(good.map((one) => [one.written.id, values.get(one)?.map(keyOf)]))
      const left = good.filter((one) => {
        let isGood = true
        for (const { field, value } of values.get(one) ?? []) {
          const key = keyOf({ field, value })
          const holder = holders.get(key)
          const isHeld =
            holder !== undefined && holder !== one.written.id && !this.#given.has(holder)
          const isGivenUp = holder !== undefined && own.get(holder)?.includes(key) === false
          const isTwice = given.has(key) || this.#values.has(key)
          if (isTwice || (isHeld && !isGivenUp)) {
            isGood = false
            refuse(
              one,
              field,
              isTwice ? 'is the value of an earlier line, too.' : 'is the value of another record.',
            )
          } else given.add(key)
        }
        return isGood
      })
      if (left.length === good.length) {
        for (const key of given) this.#values.add(key)
        for (const { written } of left) this.#given.add(written.id)
        return left
      }
      good = left
    }
  }
}

const keyOf = ({ field, value }: Unique) => JSON.stringify([field, value])
