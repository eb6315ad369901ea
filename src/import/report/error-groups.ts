import { isSameJson } from '../../model/json.ts'
import type { ErrorCode, ValidationError } from '../../model/validation-error.ts'
import { formatNumber } from '../../platform/format-number.ts'
import type { WriteCounts } from '../../records/write.ts'
import type { LineError } from '../source/source.ts'

/** Errors of a file with the same field and message: their count and first lines. `lines` is empty for an error of the whole file. */
export type ErrorGroup = ValidationError & { count: number; lines: number[] }

/** The result of a file: numbers of valid and rejected records, counts of the written ones, and errors. If there are errors, only the records in `counts` were written. */
export type ImportFileResult = {
  records: number
  rejected: number
  counts: WriteCounts
  errors: ErrorGroup[]
}

export const noCounts: WriteCounts = { created: 0, updated: 0, unchanged: 0 }

const maxErrors = 1000

const stopped = `The check stopped after ${formatNumber(maxErrors)} errors: correct these first.`

/** Groups the errors of a file, in order of first occurrence. */
export class ErrorCollector {
  readonly #groups = new ReasonGroups<number, ErrorCode>('too_many_errors')
  #count = 0
  #isStopped = false

  add({ line, field, message, code }: LineError): void {
    this.#count++
    this.#groups.add({ subject: field, message, code }, line > 0 ? [line] : [])
  }

  /** Whether the file has the maximum number of errors, so that checking can stop. */
  get isFull(): boolean {
    return this.#count >= maxErrors
  }

  /** Adds errors until the file has the maximum number. */
  addAll(errors: readonly LineError[]): void {
    for (const error of errors) {
      if (this.isFull) {
        this.stop()
        return
      }
      this.add(error)
    }
  }

  /** Marks the rest of the file as unchecked. */
  stop(): void {
    this.#isStopped = true
  }

  /** Adds the errors of another part of the same file. */
  merge({ field, message, code, count, lines }: ErrorGroup): void {
    this.#groups.add({ subject: field, message, code }, lines, count)
  }

  get groups(): ErrorGroup[] {
    const groups = this.#groups.list.map(({ subject, message, code, count, examples }) => {
      return { field: subject, message, code, count, lines: examples }
    })
    return this.#isStopped
      ? [...groups, { field: '', message: stopped, code: 'too_many_errors', count: 1, lines: [] }]
      : groups
  }
}

/** Groups errors by field and message. */
export function groupErrors(errors: readonly LineError[]): ErrorGroup[] {
  const collector = new ErrorCollector()
  for (const error of errors) collector.add(error)
  return collector.groups
}

/** A message about a file, with its count and first three examples. The subject is '' for a row or the whole file. */
export type ReasonGroup<Example, Code> = Reason<Code> & { count: number; examples: Example[] }

/** A message about a subject, with its code if it is an error. */
type Reason<Code> = { subject: string; message: string; code: Code }

const maxGroups = 100
const maxExamples = 3
const maxSubjectCharacters = 256

/** Groups messages by subject and reason, in order of first occurrence. */
export class ReasonGroups<Example, Code> {
  readonly #groups = new Map<string, ReasonGroup<Example, Code>>()
  readonly #otherCode: Code

  constructor(otherCode: Code) {
    this.#otherCode = otherCode
  }

  add({ subject, ...reason }: Reason<Code>, examples: readonly Example[], count = 1): void {
    const group = this.#findOrAdd({ subject: truncate(subject, maxSubjectCharacters), ...reason })
    group.count += count
    for (const example of examples) {
      const isNew = !group.examples.some((other) => isSameJson(other, example))
      if (isNew && group.examples.length < maxExamples) group.examples.push(example)
    }
  }

  get list(): ReasonGroup<Example, Code>[] {
    return [...this.#groups.values()]
  }

  // Limit the groups: a file with a different property in every record must not fill the memory.
  #findOrAdd({ subject, message, code }: Reason<Code>): ReasonGroup<Example, Code> {
    const key = JSON.stringify([subject, message])
    const existing = this.#groups.get(key)
    if (existing) return existing
    if (this.#groups.size >= maxGroups && message !== otherReasons)
      return this.#findOrAdd({ subject: '', message: otherReasons, code: this.#otherCode })
    const group = { subject, message, code, count: 0, examples: [] }
    this.#groups.set(key, group)
    return group
  }
}

const otherReasons = 'There are more kinds of errors than are listed.'

/** Shortens a text that exceeds the maximum length, and appends an ellipsis. */
export const truncate = (text: string, maxCharacters: number) =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
