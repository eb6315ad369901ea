import type { Example } from './column-facts.ts'

/** What is said of some cells or rows, in one reason: of which column, how often, and three of them. */
export type Group = { column: string; reason: string; count: number; examples: Example[] }

const mostGroups = 500
const mostExamples = 3
const longestExample = 80

/** Gathers what is said of the rows of a file by column and reason, in bounded memory. */
export class Groups {
  readonly #groups = new Map<string, Group>()

  add(column: string, reason: string, example: Example): void {
    const key = JSON.stringify([column, reason])
    const group = this.#groups.get(key) ?? this.#new(key, column, reason)
    group.count++
    if (group.examples.length < mostExamples) {
      const { line, value } = example
      const told = value.length > longestExample ? `${value.slice(0, longestExample)}…` : value
      group.examples.push({ line, value: told })
    }
  }

  /** The groups, the largest first. */
  get all(): Group[] {
    return [...this.#groups.values()].toSorted((a, b) => b.count - a.count)
  }

  #new(key: string, column: string, reason: string): Group {
    const isFull = this.#groups.size >= mostGroups
    const known = isFull ? this.#groups.get(others) : undefined
    if (known) return known
    const group: Group = isFull
      ? { column: '', reason: 'Other faults.', count: 0, examples: [] }
      : { column, reason, count: 0, examples: [] }
    this.#groups.set(isFull ? others : key, group)
    return group
  }
}

const others = 'others'
