import type { ErrorCode, ValidationError } from '../model/validation-error.ts'
import type { Counts } from '../records/write.ts'
import { ReasonGroups } from './groups.ts'
import type { LineError } from './read.ts'

/** ErrorCollector of a file that say the same of the same field: how many there are, and the first lines that have one; none where the file as a whole does. */
export type FaultGroup = ValidationError & { count: number; lines: number[] }

/** The result of a file: valid and rejected records, counts of the written ones, and errors. With an error, only the records in `counts` were written. */
export type Outcome = { records: number; rejected: number; counts: Counts; errors: FaultGroup[] }

const maxErrors = 1000

const stopped = `The check stopped after ${maxErrors.toLocaleString('en-GB')} errors: correct these first.`

/** The errors of a file in groups, in the order in which the first of each was found. */
export class ErrorCollector {
  readonly #groups = new ReasonGroups<number, ErrorCode>('too_many_errors')
  #count = 0
  #isStopped = false

  add({ line, field, message, code }: LineError): void {
    this.#count++
    this.#groups.add({ subject: field, message, code }, line > 0 ? [line] : [])
  }

  /** Whether the file has its maximum of errors: checking further costs time and helps nobody. */
  get isFull(): boolean {
    return this.#count >= maxErrors
  }

  /** Adds errors up to the maximum of a file. */
  addAll(errors: readonly LineError[]): void {
    for (const error of errors) {
      if (this.isFull) {
        this.stop()
        return
      }
      this.add(error)
    }
  }

  /** Notes that the rest of the file was not checked. */
  stop(): void {
    this.#isStopped = true
  }

  /** Adds the errors of another part of the same file. */
  merge({ field, message, code, count, lines }: FaultGroup): void {
    this.#groups.add({ subject: field, message, code }, lines, count)
  }

  get groups(): FaultGroup[] {
    const groups = this.#groups.list.map(({ subject, message, code, count, examples }) => {
      return { field: subject, message, code, count, lines: examples }
    })
    return this.#isStopped
      ? [...groups, { field: '', message: stopped, code: 'too_many_errors', count: 1, lines: [] }]
      : groups
  }
}

/** The groups of some errors. */
export function grouped(errors: readonly LineError[]): FaultGroup[] {
  const all = new ErrorCollector()
  for (const fault of errors) all.add(fault)
  return all.groups
}
