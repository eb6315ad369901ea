import { ApiError } from '../model/api-error.ts'

const mostPassedOver = 100 << 20

/** The chunks of what is sent, of so many bytes at most. Throws 413, which says `fault`, where there are more. */
export async function* atMost(
  most: number,
  sent: AsyncIterable<Uint8Array> | null,
  fault: string,
): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of sent ?? []) {
    length += chunk.byteLength
    if (length <= most) yield chunk
    // Read on a while: whoever is still sending would see a broken connection and not the answer.
    else if (length > mostPassedOver) break
  }
  if (length > most) throw new ApiError('PAYLOAD_TOO_LARGE', fault)
}
