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
