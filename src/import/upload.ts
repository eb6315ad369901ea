import { createHash } from 'node:crypto'
import { ApiError } from '../model/api-error.ts'
import { mostBytes } from './limits.ts'
import type { Source } from './read.ts'

/** A file that was sent: it can be read again and again until it is let go of. */
export type Upload = Source & {
  /** The SHA-256 of its bytes. */
  digest: string
  letGo(): void
}

const mostPassedOver = 100 << 20

// What the uploads of all requests here hold, packed, of the 128 MB a Worker has.
const mostHeld = 56 << 20
let held = 0

/**
 * Takes in the file that a request sends, of so many bytes at most: 413 when there are more, 503 while
 * others fill the memory. It is kept packed, as it is read twice: to be checked as a whole, and to be kept.
 */
export async function received(
  body: ReadableStream<Uint8Array> | null,
  name: string,
): Promise<Upload> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const hash = createHash('sha256')
  const packing = new CompressionStream('gzip')
  const writer = packing.writable.getWriter()
  let own = 0
  const letGo = () => {
    held -= own
    own = 0
    parts.length = 0
  }
  const packed = async () => {
    for await (const part of packing.readable as ReadableStream<Uint8Array<ArrayBuffer>>) {
      held += part.byteLength
      own += part.byteLength
      if (held > mostHeld) throw busy()
      parts.push(part)
    }
  }
  const pack = async () => {
    let size = 0
    for await (const chunk of body ?? []) {
      size += chunk.byteLength
      if (size <= mostBytes) {
        hash.update(chunk)
        await writer.write(chunk)
      }
      // Read on a while: whoever is still sending would see a broken connection and not the answer.
      else if (size > mostPassedOver) break
    }
    if (size > mostBytes) throw tooLarge()
    await writer.close()
    return size
  }
  try {
    const [size] = await Promise.all([pack(), packed()])
    return { name, size, digest: hash.digest('hex'), letGo, bytes: () => unpacked(parts) }
  } catch (error) {
    letGo()
    await writer.abort().catch(() => {})
    throw error
  }
}

async function* unpacked(parts: readonly Uint8Array<ArrayBuffer>[]): AsyncGenerator<Uint8Array> {
  const packed = new Blob([...parts]).stream()
  for await (const chunk of packed.pipeThrough(new DecompressionStream('gzip'))) {
    yield chunk
    // Other requests here have their turn.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const tooLarge = () =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The file must have at most ${mostBytes >> 20} MiB: send it in parts.`,
  )

const busy = () =>
  new ApiError('UNAVAILABLE', 'Other files are being imported here: send it again shortly.', {
    'Retry-After': '10',
  })
