import { blockSize, wordSize } from '../bitmap/bits.ts'

const halvesOfBlock = (2 * blockSize) / wordSize

/**
 * A set of ordinals in a range of blocks: the bitmaps of the index in memory, on which `and`, `or` and `not` of a
 * filter are intersections, unions and complements. A column of a bitmap has 62 bits, here a *word*. Each word is two
 * halves, the lower of 32 bits: bitwise operators of JavaScript take 32, and BigInt is eight times as slow.
 */
export class OrdinalSet {
  readonly #halves: Int32Array
  readonly #firstWord: number

  constructor(firstBlock: number, blocks: number) {
    this.#halves = new Int32Array(halvesOfBlock * blocks)
    this.#firstWord = (firstBlock * blockSize) / wordSize
  }

  /** Adds the ordinals of words, as `wordsOfBlock` writes them: `16:5 19:10 `, each the number of a word and its bits in hexadecimal. */
  addWords(words: string): void {
    this.#forEachWord(words, (half, low, high) => {
      this.#halves[half] = (this.#halves[half] ?? 0) | low
      this.#halves[half + 1] = (this.#halves[half + 1] ?? 0) | high
    })
  }

  /** Calls `visit` with each ordinal of these words that is in the set. */
  visitWords(words: string, visit: (ordinal: number) => void): void {
    this.#forEachWord(words, (half, low, high) => {
      visitBits((this.#halves[half] ?? 0) & low, this.#startOf(half), visit)
      visitBits((this.#halves[half + 1] ?? 0) & high, this.#startOf(half + 1), visit)
    })
  }

  add(ordinal: number): void {
    const half = this.#halfOf(ordinal)
    this.#halves[half] = (this.#halves[half] ?? 0) | (1 << bitOf(ordinal))
  }

  has(ordinal: number): boolean {
    return (((this.#halves[this.#halfOf(ordinal)] ?? 0) >>> bitOf(ordinal)) & 1) === 1
  }

  get size(): number {
    let count = 0
    for (const half of this.#halves) count += countBits(half)
    return count
  }

  intersect(other: OrdinalSet): OrdinalSet {
    return this.#combine((half, index) => half & (other.#halves[index] ?? 0))
  }

  unite(other: OrdinalSet): OrdinalSet {
    return this.#combine((half, index) => half | (other.#halves[index] ?? 0))
  }

  subtract(other: OrdinalSet): OrdinalSet {
    return this.#combine((half, index) => half & ~(other.#halves[index] ?? 0))
  }

  /** The ordinals above `after` and up to `upto`. */
  between(after: number, upto: number): OrdinalSet {
    return this.#combine((half, index) => {
      const start = this.#startOf(index)
      if (start > upto || start + 32 <= after) return 0
      let bits = 0
      for (let bit = 0; bit < 32; bit++)
        if (start + bit > after && start + bit <= upto) bits |= 1 << bit
      return half & bits
    })
  }

  /** The complement, which also has bits of no record. */
  invert(): OrdinalSet {
    return this.#combine((half) => ~half)
  }

  /** Yields the ordinals above `after` in ascending order. */
  *ordinals(after = -1): Generator<number> {
    for (let half = Math.max(0, this.#halfOf(after)); half < this.#halves.length; half++) {
      const start = this.#startOf(half)
      for (let bits = this.#halves[half] ?? 0; bits !== 0; bits &= bits - 1) {
        const ordinal = start + 31 - Math.clz32(bits & -bits)
        if (ordinal > after) yield ordinal
      }
    }
  }

  #halfOf(ordinal: number): number {
    const word = Math.floor(ordinal / wordSize)
    return 2 * (word - this.#firstWord) + ((ordinal % wordSize) >> 5)
  }

  #startOf(half: number): number {
    return wordSize * ((half >> 1) + this.#firstWord) + 32 * (half & 1)
  }

  #combine(combine: (half: number, index: number) => number): OrdinalSet {
    const combined = new OrdinalSet(
      (this.#firstWord * wordSize) / blockSize,
      this.#halves.length / halvesOfBlock,
    )
    for (const [index, half] of this.#halves.entries())
      combined.#halves[index] = combine(half, index)
    return combined
  }

  /**
   * Calls `use` with the index of each word's lower half, and both halves. Parses character by character, because
   * `split` and `parseInt` take ten times as long.
   */
  #forEachWord(words: string, use: (half: number, low: number, high: number) => void): void {
    // The codes of `0`, `:` and the space, and the one from which the code of a letter is its value: `a` is 10.
    const [zero, colon, space, letters] = [48, 58, 32, 87]
    for (let at = 0; at < words.length; at++) {
      let [word, low, high] = [0, 0, 0]
      for (let code = words.charCodeAt(at); code !== colon; code = words.charCodeAt(++at))
        word = word * 10 + code - zero
      for (let code = words.charCodeAt(++at); code > space; code = words.charCodeAt(++at)) {
        high = (high << 4) | (low >>> 28)
        low = (low << 4) | (code < colon ? code - zero : code - letters)
      }
      use(2 * (word - this.#firstWord), low, high)
    }
  }
}

/** Calls `visit` for each set bit of a half that begins with the ordinal `start`. */
function visitBits(half: number, start: number, visit: (ordinal: number) => void): void {
  for (let bits = half; bits !== 0; bits &= bits - 1) visit(start + 31 - Math.clz32(bits & -bits))
}

const bitOf = (ordinal: number) => (ordinal % wordSize) & 31

/** Counts the set bits of a 32-bit number by adding neighbouring bits, then pairs, then fours. */
function countBits(half: number): number {
  const pairs = half - ((half >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
