const maxTextCharacters = 120

/** How often each of a few texts occurs, without regard to case; nothing once there are too many. */
export class Tally {
  readonly #maxTexts: number
  #counts: Map<string, Map<string, number>> | undefined = new Map()

  constructor(maxTexts: number) {
    this.#maxTexts = maxTexts
  }

  add(text: string): void {
    if (!this.#counts) return
    const key = text.toLowerCase()
    const spellings = this.#counts.get(key) ?? new Map<string, number>()
    spellings.set(text, (spellings.get(text) ?? 0) + 1)
    this.#counts.set(key, spellings)
    if (
      text.length > maxTextCharacters ||
      this.#counts.size > this.#maxTexts ||
      spellings.size > this.#maxTexts
    ) {
      this.#counts = undefined
    }
  }

  get isWithinLimit(): boolean {
    return this.#counts !== undefined
  }

  /** Returns each text in its most frequent spelling, and the number of texts; undefined if there are too many. */
  get texts(): { values: string[]; total: number } | undefined {
    if (!this.#counts) return undefined
    const values = [...this.#counts.values()].map(
      (spellings) => [...spellings].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? '',
    )
    const total = this.#counts
      .values()
      .flatMap((spellings) => spellings.values())
      .reduce((sum, count) => sum + count, 0)
    return { values, total }
  }
}
