/** Content that was read in a state of the organisation. */
type Remembered<Content> = { state: string; content: Content }

type Entry = Remembered<unknown> & { size: number; expires: number }

/** The pages of one kind in a page memory, by key. */
export type Pages<Content> = {
  get(key: string): Remembered<Content> | undefined
  set(key: string, page: Remembered<Content>): void
}

/** The approximate size of an entry besides its key and content. It bounds the number of small pages. */
const entryBytes = 1024

/** The size of a text in bytes: a string takes at most two per character. */
export const textBytes = (text: string) => 2 * text.length

/**
 * The content of recent pages of an isolate. Every request asks the database for the organisation's state,
 * so an entry only saves reading, redacting and encoding the page again.
 */
export class PageMemory {
  readonly #maxBytes: number
  readonly #maxPageBytes: number
  readonly #maxAgeMs: number
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  constructor({ maxBytes = 16 << 20, maxPageBytes = 1 << 20, maxAgeMs = 600_000 } = {}) {
    this.#maxBytes = maxBytes
    this.#maxPageBytes = maxPageBytes
    this.#maxAgeMs = maxAgeMs
  }

  /** The pages of a kind. All kinds share the memory. `sizeOf` returns the bytes of a page's content. */
  pagesOf<Content>(kind: string, sizeOf: (content: Content) => number): Pages<Content> {
    return {
      // Only `set` below stores entries of this kind.
      get: (key) => this.get(`${kind} ${key}`) as Remembered<Content> | undefined,
      set: (key, page) => this.set(`${kind} ${key}`, page, sizeOf(page.content)),
    }
  }

  /** The page with this key unless it has expired. */
  get(key: string, now = Date.now()): Remembered<unknown> | undefined {
    const entry = this.#entries.get(key)
    if (!entry || entry.expires > now) return entry
    this.#delete(key, entry)
    return undefined
  }

  /** Stores a page unless it is too large, and deletes expired pages and the oldest ones beyond the limit. */
  set(key: string, page: Remembered<unknown>, contentBytes: number, now = Date.now()): void {
    const previous = this.#entries.get(key)
    if (previous) this.#delete(key, previous)
    const size = contentBytes + textBytes(key) + entryBytes
    if (size > this.#maxPageBytes) return
    this.#entries.set(key, { ...page, size, expires: now + this.#maxAgeMs })
    this.#bytes += size
    for (const [oldestKey, oldest] of this.#entries) {
      if (this.#bytes <= this.#maxBytes && oldest.expires > now) break
      this.#delete(oldestKey, oldest)
    }
  }

  #delete(key: string, { size }: Entry): void {
    this.#entries.delete(key)
    this.#bytes -= size
  }
}

/** The page memory of this isolate. */
export const pageMemory = new PageMemory()
