import { ApiError } from '../model/api-error.ts'

const maxBytesDrained = 100 << 20

/** Yields the chunks of a body. Throws 413 with `message` over `maxBytes`. */
export async function* readAtMost(
  maxBytes: number,
  source: AsyncIterable<Uint8Array> | null,
  message: string,
): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of source ?? []) {
    length += chunk.byteLength
    if (length <= maxBytes) yield chunk
    // Drains the rest: a client that is still sending would see a broken connection, not the response.
    else if (length > maxBytesDrained) break
  }
  if (length > maxBytes) throw new ApiError('PAYLOAD_TOO_LARGE', message)
}
