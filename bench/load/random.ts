export type Random = ReturnType<typeof createRandom>

/** Returns a random generator that repeats its choices for the same `seed`: mulberry32, seeded with its FNV-1a hash. */
export function createRandom(seed: string) {
  let state = 0x811c9dc5
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193)

  /** Returns a number from 0 to below 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Returns a whole number, both ends included. */
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))

  /** Returns true with this probability. */
  const chance = (probability: number) => next() < probability

  /** Returns one of `items`. */
  function pick<Item>(items: readonly Item[]): Item {
    const item = items[integer(0, items.length - 1)]
    if (item === undefined) throw new RangeError('The list is empty.')
    return item
  }

  /** Returns one of the keys of `weights`, with that relative frequency. */
  function weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
    const total = Object.values<number>(weights).reduce((sum, weight) => sum + weight, 0)
    let drawn = next() * total
    for (const key in weights) {
      drawn -= weights[key]
      if (drawn < 0) return key
    }
    throw new RangeError('The list is empty.')
  }

  /** Returns `count` of `items` in their order; all of them if there are fewer. */
  function some<Item>(items: readonly Item[], count: number): Item[] {
    let wanted = count
    return items.filter((_, index) => {
      const taken = next() * (items.length - index) < wanted
      if (taken) wanted--
      return taken
    })
  }

  return { integer, chance, pick, weighted, some }
}
