const mostKept = 2 ** 14

/** How many values there are, at least, for each that came before, where hardly any did. */
const mostlyNew = 20

/**
 * Whether the values of a column are all different, or nearly all, in bounded memory: of many values
 * a part is compared, chosen by a hash, so that a column that seems unique may have a few values twice.
 */
export class Distinctness {
  #hashes: Set<number> | undefined = new Set()
  #every = 1
  /** About how many values there were, and how many of them had come before. */
  #seen = 0
  #again = 0

  get isDistinct(): boolean {
    return this.#again === 0
  }

  get isNearlyDistinct(): boolean {
    return this.#hashes !== undefined && this.#again * mostlyNew <= this.#seen
  }

  add(value: string): void {
    if (!this.#hashes) return
    const hash = hashOf(value)
    if (hash % this.#every !== 0) return
    this.#seen += this.#every
    if (this.#hashes.has(hash)) {
      this.#again += this.#every
      if (this.#again > mostlyNew + this.#seen / mostlyNew) this.#hashes = undefined
      return
    }
    this.#hashes.add(hash)
    if (this.#hashes.size > mostKept) {
      this.#every *= 4
      this.#hashes = new Set([...this.#hashes].filter((kept) => kept % this.#every === 0))
    }
  }
}

/** A number of 53 bits that hardly two texts share (cyrb53). */
function hashOf(text: string): number {
  let one = 0xdeadbeef
  let two = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 2654435761)
    two = Math.imul(two ^ code, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return 4294967296 * (2097151 & two) + (one >>> 0)
}
