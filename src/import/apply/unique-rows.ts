import { messages, type ValidationError } from '../../model/validation-error.ts'
import type { Rules } from '../../records/rules.ts'
import { uniqueOf } from '../../records/upsert-batch.ts'
import type { UniqueValue } from '../../store/read/unique-values.ts'
import type { NewDocument } from '../../store/write/put.ts'
import type { TableDestination } from './destination.ts'

/** Checks that unique values occur only once in a table and the stored records. */
export class UniqueRows {
  readonly #destination: TableDestination
  readonly #rules: Rules
  /** The values of the table so far, and the records they are of. */
  readonly #values = new Set<string>()
  readonly #writtenIds = new Set<string>()

  constructor(destination: TableDestination, rules: Rules) {
    this.#destination = destination
    this.#rules = rules
  }

  /** Returns the rows without a taken value; calls `reject` for the others. Rows must come in the order of the table. */
  async filterUnique<Candidate extends { written: NewDocument }>(
    rows: readonly Candidate[],
    reject: (candidate: Candidate, error: ValidationError) => void,
  ): Promise<readonly Candidate[]> {
    const { unique, collection } = this.#rules
    if (unique.length === 0) return rows
    const values = new Map(
      rows.map((candidate) => [candidate, uniqueOf(this.#rules, [candidate.written])]),
    )
    const owners = await this.#destination.findOwners(collection, [...values.values()].flat())
    const ownersByValue = new Map(
      owners.map(({ id, field, value }) => [valueKey({ field, value }), id]),
    )
    // The stored record of a rejected row keeps its value, so other rows cannot take it either.
    for (let accepted = rows; ; ) {
      const takenValues = new Set<string>()
      const ownValues = new Map(
        accepted.map((candidate) => [candidate.written.id, values.get(candidate)?.map(valueKey)]),
      )
      const remaining = accepted.filter((candidate) => {
        let isUnique = true
        for (const { field, value } of values.get(candidate) ?? []) {
          const key = valueKey({ field, value })
          const owner = ownersByValue.get(key)
          const isTaken =
            owner !== undefined && owner !== candidate.written.id && !this.#writtenIds.has(owner)
          const isReleased = owner !== undefined && ownValues.get(owner)?.includes(key) === false
          const isDuplicate = takenValues.has(key) || this.#values.has(key)
          if (isDuplicate || (isTaken && !isReleased)) {
            isUnique = false
            reject(candidate, {
              field,
              ...(isDuplicate ? usedEarlier : { message: messages.notUnique, code: 'not_unique' }),
            })
          } else takenValues.add(key)
        }
        return isUnique
      })
      if (remaining.length === accepted.length) {
        for (const key of takenValues) this.#values.add(key)
        for (const { written } of remaining) this.#writtenIds.add(written.id)
        return remaining
      }
      accepted = remaining
    }
  }
}

const usedEarlier = {
  message: 'is the value of an earlier line, too.',
  code: 'duplicate',
} as const

const valueKey = ({ field, value }: UniqueValue) => JSON.stringify([field, value])
