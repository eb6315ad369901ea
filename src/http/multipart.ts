import { Buffer } from 'node:buffer'
import { ApiError } from '../model/api-error.ts'
import { atMost } from './at-most.ts'

/** A part of a form: the name of its field, the name of its file if it is one, and its bytes, which are read before the next part. */
export type Part = {
  name: string
  file: string | undefined
  bytes: AsyncIterable<Uint8Array>
}

const mostOfHead = 1 << 13

/** The parts of a form that a browser sends as `multipart/form-data` (RFC 7578), as they come in. Throws 415 where it is sent as anything else, 400 where it is not whole. */
export async function* formParts(
  body: ReadableStream<Uint8Array> | null,
  contentType: string,
): AsyncGenerator<Part> {
  const [, quoted, plain] =
    /^multipart\/form-data;.*?boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the form as multipart/form-data.')
  }
  const incoming = new Incoming(body)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  await passOver(incoming.upTo(delimiter))
  while ((await incoming.next(2)) === '\r\n') {
    const head = await partText(incoming.upTo(Buffer.from('\r\n\r\n')), mostOfHead)
    const bytes = incoming.upTo(delimiter)
    yield { name: said(head, 'name') ?? '', file: said(head, 'filename'), bytes }
    await passOver(bytes)
  }
}

/** The text that bytes are in UTF-8, of so many bytes at most: 413 where there are more. */
export async function partText(bytes: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const chunks = atMost(most, bytes, 'What is in the form is too long.')
  return Buffer.concat(await Array.fromAsync(chunks)).toString('utf8')
}

/** What a part's head says of itself; quotes and ends of lines within are percent-encoded. */
function said(head: string, what: 'name' | 'filename'): string | undefined {
  const value = new RegExp(`^content-disposition:.*[; ]${what}="([^"]*)"`, 'im').exec(head)?.[1]
  return value?.replaceAll(/%(22|0D|0A)/gi, (_, code) => String.fromCharCode(Number(`0x${code}`)))
}

async function passOver(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}

/** Bytes as they come in, in pieces that end at a delimiter. */
class Incoming {
  readonly #body: AsyncIterator<Uint8Array> | undefined
  // The first boundary has no end of a line before it.
  #held: Uint8Array = Buffer.from('\r\n')

  constructor(body: ReadableStream<Uint8Array> | null) {
    this.#body = body?.[Symbol.asyncIterator]()
  }

  /** What comes before the next such delimiter, which is taken off. */
  async *upTo(delimiter: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const held = Buffer.from(this.#held.buffer, this.#held.byteOffset, this.#held.length)
      const at = held.indexOf(delimiter)
      const sure = at >= 0 ? at : Math.max(0, held.length - delimiter.length + 1)
      this.#held = held.subarray(at >= 0 ? at + delimiter.length : sure)
      if (sure > 0) yield held.subarray(0, sure)
      if (at >= 0) return
      await this.#more()
    }
  }

  /** So many bytes as text. */
  async next(count: number): Promise<string> {
    while (this.#held.length < count) await this.#more()
    const text = Buffer.from(this.#held.subarray(0, count)).toString('latin1')
    this.#held = this.#held.subarray(count)
    return text
  }

  async #more(): Promise<void> {
    const { done, value } = (await this.#body?.next()) ?? { done: true }
    if (done || !value) throw new ApiError('BAD_REQUEST', 'The form was not sent whole: try again.')
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value])
  }
}
