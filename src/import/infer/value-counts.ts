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

const maxHashes = 2 ** 14

/** How many values there are, at least, for each that came before, where hardly any did. */
const minDistinctRatio = 20

/**
 * Whether the values of a column are all different, or nearly all, in bounded memory: of many values
 * a part is compared, chosen by a hash, so that a column that seems unique may have a few values twice.
 */
export class Distinctness {
  #hashes: Set<number> | undefined = new Set()
  #sampleInterval = 1
  /** About how many values there were, and how many of them had come before. */
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

/** A number of 53 bits that hardly two texts share (cyrb53). */
function hashText(text: string): number {
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
