/** What is said of a file in one reason: of what ('' for a row or the file as a whole), how often, and the first three examples. */
export type Group<Example> = { of: string; reason: string; count: number; examples: Example[] }

const mostGroups = 100
const mostExamples = 3
const longestName = 256

/** Gathers what is said of a file by what it is said of and why, in the order in which the first of each was found. */
export class Groups<Example> {
  readonly #groups = new Map<string, Group<Example>>()

  add(of: string, reason: string, examples: readonly Example[], count = 1): void {
    const group = this.#group(clipped(of, longestName), reason)
    group.count += count
    for (const example of examples) {
      const isNew = !group.examples.includes(example)
      if (isNew && group.examples.length < mostExamples) group.examples.push(example)
    }
  }

  get all(): Group<Example>[] {
    return [...this.#groups.values()]
  }

  // Whoever gives every record a property of its own must not fill the memory.
  #group(of: string, reason: string): Group<Example> {
    const key = JSON.stringify([of, reason])
    const known = this.#groups.get(key)
    if (known) return known
    if (this.#groups.size >= mostGroups && reason !== others) return this.#group('', others)
    const group: Group<Example> = { of, reason, count: 0, examples: [] }
    this.#groups.set(key, group)
    return group
  }
}

const others = 'There are faults of more kinds than are told.'

/** The beginning of a text that is longer than so many characters. */
export const clipped = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most)}…` : text
