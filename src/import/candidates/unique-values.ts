import { messages, type ValidationError } from '../../model/validation-error.ts'
import type { Rules } from '../../records/rules.ts'
import type { UniqueValue } from '../../store/read/unique-values.ts'
import type { NewDocument } from '../../store/write/put.ts'
import type { RecordDestination } from '../destination/destination.ts'
import { listUniqueValues } from '../targets/target.ts'

type UniqueCandidate = { row: { line: number }; record: NewDocument }

type Reject<Candidate> = (candidate: Candidate, error: ValidationError) => void

/** A check that each value of a unique field occurs once in the file and the stored records (`uniqueId`). */
export type UniqueRule = {
  /** Returns the rows without a taken value, and calls `reject` for the others. Rows must be in file order. */
  accept<Candidate extends UniqueCandidate>(
    rows: readonly Candidate[],
    reject: Reject<Candidate>,
  ): Promise<readonly Candidate[]>
  /** The ids of records that may lose values to these, because the file replaces them too. */
  holders(records: readonly NewDocument[]): string[]
}

const maxValuesPerQuery = 5000

type ValueSource = { line: number; holder?: string }

/** The rule for files imported as a whole: a record may take a value that any other record of the file gives up. */
export class UniqueInFile implements UniqueRule {
  readonly #rules: Rules
  readonly #sources = new Map<string, Map<string, ValueSource>>()
  readonly #ids = new Set<string>()

  constructor(rules: Rules) {
    this.#rules = rules
    for (const field of rules.unique) this.#sources.set(field, new Map())
  }

  /** Compares the rows with earlier ones only; `findTaken` compares them with the stored records. */
  async accept<Candidate extends UniqueCandidate>(
    rows: readonly Candidate[],
    reject: Reject<Candidate>,
  ): Promise<readonly Candidate[]> {
    if (this.#rules.unique.length === 0) return rows
    return rows.filter((candidate) => {
      const { row, record } = candidate
      this.#ids.add(record.id)
      let isUnique = true
      for (const { field, value } of listUniqueValues(this.#rules, [record])) {
        const sources = this.#sources.get(field)
        if (sources?.has(value)) {
          isUnique = false
          reject(candidate, {
            field,
            message: 'has the value of an earlier line.',
            code: 'duplicate',
          })
        } else sources?.set(value, { line: row.line })
      }
      return isUnique
    })
  }

  /** Errors for values that belong to stored records outside the file, by line. */
  async findTaken(destination: RecordDestination): Promise<Map<number, ValidationError[]>> {
    const errors = new Map<number, ValidationError[]>()
    for (const [field, sources] of this.#sources) {
      const values: UniqueValue[] = [...sources.keys()].map((value) => ({ field, value }))
      for (let from = 0; from < values.length; from += maxValuesPerQuery) {
        const batch = values.slice(from, from + maxValuesPerQuery)
        for (const owner of await destination.findOwners(this.#rules.collection, batch)) {
          const source = sources.get(owner.value)
          if (!source) continue
          const { line } = source
          if (this.#ids.has(owner.id)) source.holder = owner.id
          else {
            const error = { field, message: messages.notUnique, code: 'not_unique' } as const
            errors.set(line, [...(errors.get(line) ?? []), error])
          }
        }
      }
    }
    return errors
  }

  holders(records: readonly NewDocument[]): string[] {
    return listUniqueValues(this.#rules, records).flatMap(
      ({ field, value }) => this.#sources.get(field)?.get(value)?.holder ?? [],
    )
  }
}

/** The rule for files with only their valid rows imported: a row may take a value that another row of its chunk gives up. */
export class UniqueInChunks implements UniqueRule {
  readonly #destination: RecordDestination
  readonly #rules: Rules
  /** The unique values of the rows accepted so far. */
  readonly #values = new Set<string>()
  readonly #writtenIds = new Set<string>()

  constructor(destination: RecordDestination, rules: Rules) {
    this.#destination = destination
    this.#rules = rules
  }

  async accept<Candidate extends UniqueCandidate>(
    rows: readonly Candidate[],
    reject: Reject<Candidate>,
  ): Promise<readonly Candidate[]> {
    const { unique, collection } = this.#rules
    if (unique.length === 0) return rows
    const values = new Map(
      rows.map((candidate) => [candidate, listUniqueValues(this.#rules, [candidate.record])]),
    )
    const owners = await this.#destination.findOwners(collection, [...values.values()].flat())
    const ownersByValue = new Map(
      owners.map(({ id, field, value }) => [valueKey({ field, value }), id]),
    )
    // Repeat after a rejection: the stored record of a rejected row keeps its value.
    for (let accepted = rows; ; ) {
      const takenValues = new Set<string>()
      const ownValues = new Map(
        accepted.map((candidate) => [candidate.record.id, values.get(candidate)?.map(valueKey)]),
      )
      const remaining = accepted.filter((candidate) => {
        let isUnique = true
        for (const { field, value } of values.get(candidate) ?? []) {
          const key = valueKey({ field, value })
          const owner = ownersByValue.get(key)
          const isTaken =
            owner !== undefined && owner !== candidate.record.id && !this.#writtenIds.has(owner)
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
        for (const { record } of remaining) this.#writtenIds.add(record.id)
        return remaining
      }
      accepted = remaining
    }
  }

  holders(): string[] {
    return []
  }
}

const usedEarlier = {
  message: 'is the value of an earlier line, too.',
  code: 'duplicate',
} as const

const valueKey = ({ field, value }: UniqueValue) => JSON.stringify([field, value])
