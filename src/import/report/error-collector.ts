import type { ErrorCode } from '../../model/validation-error.ts'
import { formatNumber } from '../../platform/format-number.ts'
import type { CellError } from '../candidates/import-row.ts'
import { toCellError } from '../candidates/partial-rows.ts'
import type { LineError } from '../source/source.ts'
import { type MessageGroup, MessageGroups } from './message-groups.ts'

/** Groups the errors of a file. Ignores those beyond the maximum, and says so. */
export class ErrorCollector {
  // The code for errors beyond the maximum number of groups, and for those after the check has stopped.
  readonly #groups = new MessageGroups<ErrorCode>('too_many_errors')
  readonly #maxErrors: number
  #count = 0
  #isStopped = false

  constructor(maxErrors = Number.POSITIVE_INFINITY) {
    this.#maxErrors = maxErrors
  }

  /** Whether the file has the maximum number of errors, so that checking can stop. */
  get isFull(): boolean {
    return this.#count >= this.#maxErrors
  }

  /** Adds errors in a line; line 0 is the whole file. */
  add(line: number, errors: readonly CellError[]): void {
    for (const { value, ...error } of errors) {
      if (this.isFull) {
        this.#isStopped = true
        return
      }
      this.#count++
      this.#groups.add(error, line > 0 ? [{ line, value }] : [])
    }
  }

  /** Adds the errors of another part of the same file, which have been counted and limited where it was checked. */
  merge({ count, examples, ...error }: MessageGroup<ErrorCode>): void {
    this.#groups.add(error, examples, count)
  }

  get groups(): MessageGroup<ErrorCode>[] {
    if (!this.#isStopped) return this.#groups.list
    const message = `The check stopped after ${formatNumber(this.#maxErrors)} errors: correct these first.`
    const stopped = {
      column: '',
      message,
      code: 'too_many_errors' as const,
      count: 1,
      examples: [],
    }
    return [...this.#groups.list, stopped]
  }
}

/** Groups errors without values. */
export function groupErrors(errors: readonly LineError[]): MessageGroup<ErrorCode>[] {
  const collector = new ErrorCollector()
  for (const { line, ...error } of errors) collector.add(line, [toCellError(error)])
  return collector.groups
}
