import { readAtMost } from '../../http/body.ts'
import { ApiError } from '../../model/api-error.ts'
import { yieldToEventLoop } from '../../platform/yield.ts'
import { enforceMinRate } from './min-rate.ts'
import type { Source } from './source.ts'
import { maxFileBytes, maxUploadBytes, releaseMemory, reserveMemory } from './upload-limits.ts'

/** An uploaded file: it can be read repeatedly until its release. */
export type Upload = Source & {
  /** The SHA-256 hash of the bytes. */
  digest: string
  release(): void
}

const blockBytes = 1 << 17

// A slow upload occupies memory that others need.
const minRate = { bytes: blockBytes, periodMs: 30_000 }

/** The organisation and name of an upload, and its maximum size. */
type UploadOptions = { organisationId: string; name: string; maxBytes?: number }

/**
 * Receives the file of a request and compresses it, because it stays in memory to be read twice.
 * Throws 413 if it is too large, and 503 if the memory is full or the upload too slow.
 */
export async function receiveUpload(
  body: AsyncIterable<Uint8Array> | null,
  { organisationId, name, maxBytes = maxFileBytes }: UploadOptions,
): Promise<Upload> {
  // Imported on demand, because top-level imports add to the Worker's start-up time.
  const [{ createHash }, zlib] = await Promise.all([import('node:crypto'), import('node:zlib')])
  const hash = createHash('sha256')
  const blocks = new CompressedBlocks(zlib, organisationId)
  try {
    let size = 0
    const tooLarge = `The file must have at most ${maxBytes >> 20} MB: send it in parts.`
    const chunks = body && enforceMinRate(body, minRate, tooSlow)
    for await (const chunk of readAtMost(maxBytes, chunks, tooLarge)) {
      size += chunk.byteLength
      hash.update(chunk)
      blocks.add(chunk)
    }
    blocks.close()
    const bytes = () => blocks.bytes()
    return { name, size, digest: hash.digest('hex'), bytes, release: () => blocks.release() }
  } catch (error) {
    blocks.release()
    throw error
  }
}

type Zlib = Pick<typeof import('node:zlib'), 'deflateRawSync' | 'inflateRawSync'>

/** A buffer of compressed blocks that reserves its memory. */
class CompressedBlocks {
  readonly #zlib: Zlib
  readonly #organisationId: string
  readonly #blocks: Uint8Array[] = []
  #block = new Uint8Array(0)
  #blockLength = 0
  #reservedBytes = 0

  constructor(zlib: Zlib, organisationId: string) {
    this.#zlib = zlib
    this.#organisationId = organisationId
  }

  add(chunk: Uint8Array): void {
    if (this.#block.length === 0) {
      this.#reserve(blockBytes)
      this.#block = new Uint8Array(blockBytes)
    }
    for (let from = 0; from < chunk.length; ) {
      const part = chunk.subarray(from, from + blockBytes - this.#blockLength)
      this.#block.set(part, this.#blockLength)
      this.#blockLength += part.length
      from += part.length
      if (this.#blockLength === blockBytes) {
        const block = this.#compressBlock()
        this.#reserve(block.byteLength)
        this.#blocks.push(block)
      }
    }
  }

  /** Compresses the last block within the memory reserved for its buffer. */
  close(): void {
    const rest = this.#compressBlock()
    this.#release(this.#block.length - rest.byteLength)
    this.#blocks.push(rest)
    this.#block = new Uint8Array(0)
  }

  release(): void {
    this.#release(this.#reservedBytes)
    this.#blocks.length = 0
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    for (const block of this.#blocks) {
      yield this.#zlib.inflateRawSync(block)
      await yieldToEventLoop()
    }
  }

  #compressBlock(): Uint8Array {
    const block = this.#zlib.deflateRawSync(this.#block.subarray(0, this.#blockLength), {
      level: 1,
    })
    this.#blockLength = 0
    return block
  }

  #reserve(bytes: number): void {
    if (this.#reservedBytes + bytes > maxUploadBytes) throw tooLargeCompressed()
    if (!reserveMemory(this.#organisationId, bytes)) throw memoryFull()
    this.#reservedBytes += bytes
  }

  #release(bytes: number): void {
    releaseMemory(this.#organisationId, bytes)
    this.#reservedBytes -= bytes
  }
}

const tooLargeCompressed = () =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The file must have at most ${maxUploadBytes >> 20} MB when it is compressed: send it in parts.`,
  )

const memoryFull = () =>
  new ApiError('UNAVAILABLE', 'Other files are being imported here: send it again shortly.', {
    'Retry-After': '10',
  })

const tooSlow = () =>
  new ApiError(
    'UNAVAILABLE',
    'The file arrived too slowly: send it again over a faster connection.',
    { 'Retry-After': '10' },
  )
