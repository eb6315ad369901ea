const maxTextCharacters = 120

/** The counts of a few texts, ignoring case; discarded once there are too many texts or one is too long. */
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

  /** Each text in its most frequent spelling with its count, the most frequent first; undefined if there are too many texts. */
  get counts(): (readonly [text: string, count: number])[] | undefined {
    if (!this.#counts) return undefined
    const counts = [...this.#counts.values()].map((spellings) => {
      const [spelling] = [...spellings].toSorted(([, a], [, b]) => b - a)[0] ?? ['']
      return [spelling, spellings.values().reduce((sum, count) => sum + count, 0)] as const
    })
    return counts.toSorted(([, a], [, b]) => b - a)
  }

  /** The texts of `counts`, and the total count. */
  get texts(): { values: string[]; total: number } | undefined {
    const { counts } = this
    return (
      counts && {
        values: counts.map(([text]) => text),
        total: counts.reduce((sum, [, count]) => sum + count, 0),
      }
    )
  }
}

const maxHashes = 2 ** 14

/** Minimum number of values per duplicate in a nearly distinct column. */
const minDistinctRatio = 20

/**
 * A check whether all or nearly all values of a column are different, in bounded memory. It samples
 * large columns by hash, so it may miss a few duplicates.
 */
export class Distinctness {
  #hashes: Set<number> | undefined = new Set()
  #sampleInterval = 1
  /** Estimated numbers of values and of duplicates. */
  #valueCount = 0
  #duplicateCount = 0

  get isDistinct(): boolean {
    return this.#duplicateCount === 0
  }

  get isNearlyDistinct(): boolean {
    return this.#hashes !== undefined && this.#duplicateCount * minDistinctRatio <= this.#valueCount
  }

  add(value: string): void {
    if (!this.#hashes) return
    const hash = hashText(value)
    if (hash % this.#sampleInterval !== 0) return
    this.#valueCount += this.#sampleInterval
    if (this.#hashes.has(hash)) {
      this.#duplicateCount += this.#sampleInterval
      if (this.#duplicateCount > minDistinctRatio + this.#valueCount / minDistinctRatio)
        this.#hashes = undefined
      return
    }
    this.#hashes.add(hash)
    if (this.#hashes.size > maxHashes) {
      this.#sampleInterval *= 4
      this.#hashes = new Set(
        [...this.#hashes].filter((storedHash) => storedHash % this.#sampleInterval === 0),
      )
    }
  }
}

/** A 53-bit hash of a text (cyrb53). */
export function hashText(text: string): number {
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    low = Math.imul(low ^ code, 2654435761)
    high = Math.imul(high ^ code, 1597334677)
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  return 4294967296 * (2097151 & high) + (low >>> 0)
}
