import { ApiError } from '../model/api-error.ts'

const maxBytesDrained = 100 << 20

/** The chunks of what is sent, of so many bytes at most. Throws 413, which says `fault`, where there are more. */
export async function* readAtMost(
  maxBytes: number,
  source: AsyncIterable<Uint8Array> | null,
  message: string,
): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of source ?? []) {
    length += chunk.byteLength
    if (length <= maxBytes) yield chunk
    // Read on a while: whoever is still sending would see a broken connection and not the answer.
    else if (length > maxBytesDrained) break
  }
  if (length > maxBytes) throw new ApiError('PAYLOAD_TOO_LARGE', message)
}
