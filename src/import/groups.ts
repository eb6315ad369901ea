/** A message about a file: its subject ('' for a row or the whole file), how often it occurs, and the first three examples. */
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
      const isNew = !group.examples.includes(example)
      if (isNew && group.examples.length < maxExamples) group.examples.push(example)
    }
  }

  get list(): ReasonGroup<Example, Code>[] {
    return [...this.#groups.values()]
  }

  // Bounded: a file with a different property in every record must not fill the memory.
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

/** The beginning of a text that is longer than so many characters. */
export const truncate = (text: string, maxCharacters: number) =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
