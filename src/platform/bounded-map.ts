/** A cache of at most `maxEntries` entries. A new entry replaces the oldest of a full cache. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #maxEntries: number

  constructor(maxEntries: number) {
    super()
    this.#maxEntries = maxEntries
  }

  override set(key: Key, value: Value): this {
    super.set(key, value)
    for (const oldest of this.keys()) {
      if (this.size <= this.#maxEntries) break
      this.delete(oldest)
    }
    return this
  }
}
