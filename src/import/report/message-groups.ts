import { isSameJson } from '../../model/json.ts'
import type { ErrorCode } from '../../model/validation-error.ts'
import type { Example } from '../mapping/column-facts.ts'

/**
 * The messages of a file with the same column and text: their count and first three examples. The
 * column is a heading or a field, or '' for a row or the whole file. The whole file has no examples.
 */
export type MessageGroup<Code = ErrorCode | undefined> = Message<Code> & {
  count: number
  examples: Example[]
}

/** A message about a column, with its code if it is an error. */
type Message<Code> = { column: string; message: string; code: Code }

const maxGroups = 100
const maxExamples = 3
const maxColumnCharacters = 256
const maxExampleCharacters = 80

/** Groups messages by column and text, in order of first occurrence. */
export class MessageGroups<Code> {
  readonly #groups = new Map<string, MessageGroup<Code>>()
  readonly #otherCode: Code

  /** `otherCode` is the code of the group for messages beyond the maximum number of groups. */
  constructor(otherCode: Code) {
    this.#otherCode = otherCode
  }

  add({ column, message, code }: Message<Code>, examples: readonly Example[], count = 1): void {
    const group = this.#findOrAdd({ column: truncate(column, maxColumnCharacters), message, code })
    group.count += count
    for (const { line, value } of examples) {
      const example = { line, value: truncate(value, maxExampleCharacters) }
      const isNew = !group.examples.some((other) => isSameJson(other, example))
      if (isNew && group.examples.length < maxExamples) group.examples.push(example)
    }
  }

  get list(): MessageGroup<Code>[] {
    return [...this.#groups.values()]
  }

  // A file with a different property in every record must not fill the memory.
  #findOrAdd(reason: Message<Code>): MessageGroup<Code> {
    const { column, message } = reason
    const key = JSON.stringify([column, message])
    const existing = this.#groups.get(key)
    if (existing) return existing
    if (this.#groups.size >= maxGroups && message !== otherMessages)
      return this.#findOrAdd({ column: '', message: otherMessages, code: this.#otherCode })
    const group = { ...reason, count: 0, examples: [] }
    this.#groups.set(key, group)
    return group
  }
}

const otherMessages = 'There are more kinds of errors than are listed.'

/** Shortens a text that exceeds the maximum length, and appends an ellipsis. */
export const truncate = (text: string, maxCharacters: number) =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
