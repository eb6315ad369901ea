import { atMost } from '../http/at-most.ts'
import { ApiError } from '../model/api-error.ts'
import { othersTurn } from '../platform/others-turn.ts'
import { mostBytes } from './limits.ts'
import type { Source } from './read.ts'

/** A file that was sent: it can be read again and again until it is let go of. */
export type Upload = Source & {
  /** The SHA-256 of its bytes. */
  digest: string
  letGo(): void
}

const blockBytes = 1 << 17

// What the uploads of all requests here hold, of the 128 MB a Worker has.
const mostHeld = 56 << 20
let held = 0

/**
 * Takes in the file that a request sends, of so many bytes at most: 413 when there are more, 503 while
 * others fill the memory. It is kept packed, as it is read twice: to be checked as a whole, and to be kept.
 */
export async function received(
  body: AsyncIterable<Uint8Array> | null,
  name: string,
  most = mostBytes,
): Promise<Upload> {
  // On entry, as what is imported at the top of a module is part of starting the Worker.
  const [{ createHash }, zlib] = await Promise.all([import('node:crypto'), import('node:zlib')])
  const hash = createHash('sha256')
  const packed = new Packed(zlib)
  try {
    let size = 0
    const tooLarge = `The file must have at most ${most >> 20} MiB: send it in parts.`
    for await (const chunk of atMost(most, body, tooLarge)) {
      size += chunk.byteLength
      hash.update(chunk)
      packed.add(chunk)
    }
    packed.close()
    const bytes = () => packed.bytes()
    return { name, size, digest: hash.digest('hex'), bytes, letGo: () => packed.letGo() }
  } catch (error) {
    packed.letGo()
    throw error
  }
}

type Zlib = Pick<typeof import('node:zlib'), 'deflateRawSync' | 'inflateRawSync'>

/** Bytes in packed blocks. */
class Packed {
  readonly #zlib: Zlib
  readonly #blocks: Uint8Array[] = []
  readonly #block = new Uint8Array(blockBytes)
  #filled = 0
  #held = 0

  constructor(zlib: Zlib) {
    this.#zlib = zlib
  }

  add(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; ) {
      const part = chunk.subarray(from, from + blockBytes - this.#filled)
      this.#block.set(part, this.#filled)
      this.#filled += part.length
      from += part.length
      if (this.#filled === blockBytes) this.close()
    }
  }

  /** Packs what has come in since the last block. */
  close(): void {
    const block = this.#zlib.deflateRawSync(this.#block.subarray(0, this.#filled), { level: 1 })
    this.#filled = 0
    this.#held += block.byteLength
    held += block.byteLength
    if (held > mostHeld) throw busy()
    this.#blocks.push(block)
  }

  letGo(): void {
    held -= this.#held
    this.#held = 0
    this.#blocks.length = 0
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    for (const block of this.#blocks) {
      yield this.#zlib.inflateRawSync(block)
      await othersTurn()
    }
  }
}

const busy = () =>
  new ApiError('UNAVAILABLE', 'Other files are being imported here: send it again shortly.', {
    'Retry-After': '10',
  })
