/** A cache of at most `maxEntries` entries. A new entry empties a full cache. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #maxEntries: number

  constructor(maxEntries: number) {
    super()
    this.#maxEntries = maxEntries
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.#maxEntries && !this.has(key)) this.clear()
    return super.set(key, value)
  }
}
