/** A message about a file: its subject ('' for a row or the whole file), how often it occurs, and the first three examples. */
export type ReasonGroup<Example> = {
  subject: string
  message: string
  count: number
  examples: Example[]
}

const maxGroups = 100
const maxExamples = 3
const maxSubjectCharacters = 256

/** Groups messages by subject and reason, in order of first occurrence. */
export class ReasonGroups<Example> {
  readonly #groups = new Map<string, ReasonGroup<Example>>()

  add(subject: string, message: string, examples: readonly Example[], count = 1): void {
    const group = this.#findOrAdd(truncate(subject, maxSubjectCharacters), message)
    group.count += count
    for (const example of examples) {
      const isNew = !group.examples.includes(example)
      if (isNew && group.examples.length < maxExamples) group.examples.push(example)
    }
  }

  get list(): ReasonGroup<Example>[] {
    return [...this.#groups.values()]
  }

  // Bounded: a file with a different property in every record must not fill the memory.
  #findOrAdd(subject: string, message: string): ReasonGroup<Example> {
    const key = JSON.stringify([subject, message])
    const existing = this.#groups.get(key)
    if (existing) return existing
    if (this.#groups.size >= maxGroups && message !== otherReasons)
      return this.#findOrAdd('', otherReasons)
    const group: ReasonGroup<Example> = { subject, message, count: 0, examples: [] }
    this.#groups.set(key, group)
    return group
  }
}

const otherReasons = 'There are more kinds of errors than are listed.'

/** The beginning of a text that is longer than so many characters. */
export const truncate = (text: string, maxCharacters: number) =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
