/** A list page: the organisation's state when it was read, its ETag and content, and the number of its records. */
type Page = {
  state: string
  etag: string
  bytes: Uint8Array
  headers: Record<string, string>
  collection: string
  records: number
}

type Entry = Page & { size: number; expires: number }

/** The approximate size of an entry besides its key and bytes. It bounds the number of small pages. */
const entryBytes = 1024

/**
 * The recent list pages of an isolate. Every request asks the database for the organisation's state,
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

  /** The page with this key unless it has expired. */
  get(key: string, now = Date.now()): Page | undefined {
    const entry = this.#entries.get(key)
    if (!entry || entry.expires > now) return entry
    this.#delete(key, entry)
    return undefined
  }

  /** Stores a page unless it is too large, and deletes expired pages and the oldest ones beyond the limit. */
  set(key: string, page: Page, now = Date.now()): void {
    const previous = this.#entries.get(key)
    if (previous) this.#delete(key, previous)
    // A string takes at most two bytes per character.
    const size = page.bytes.byteLength + 2 * key.length + entryBytes
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
