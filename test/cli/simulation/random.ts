/** A source of random values that a seed determines (sfc32, after 64 bits of the seed). */
export class Random {
  readonly #state: Uint32Array

  constructor(seed: number) {
    this.#state = Uint32Array.of(seed, seed / 2 ** 32, 0x9e3779b9, 1)
    for (let round = 0; round < 15; round++) this.#next()
  }

  /** A number from 0 to 1, without 1. */
  fraction(): number {
    return this.#next() / 2 ** 32
  }

  /** A whole number from `min` to `max`. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1))
  }

  /** Whether something with this probability happens. */
  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<const Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.integer(0, items.length - 1)] ?? items[0]
  }

  bytes(length: number): Uint8Array<ArrayBuffer> {
    return Uint8Array.from({ length }, () => this.#next())
  }

  #next(): number {
    const state = this.#state
    const [a = 0, b = 0, c = 0, counter = 0] = state
    const next = (a + b + counter) >>> 0
    state.set([
      b ^ (b >>> 9),
      (c + (c << 3)) >>> 0,
      (((c << 21) | (c >>> 11)) + next) >>> 0,
      counter + 1,
    ])
    return next
  }
}
