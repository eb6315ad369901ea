import { Buffer } from 'node:buffer'
import { ApiError } from '../model/api-error.ts'
import { readAtMost } from './read-at-most.ts'

/** A part of a form: the name of its field, the name of its file if it is one, and its bytes, which are read before the next part. */
export type Part = {
  name: string
  file: string | undefined
  bytes: AsyncIterable<Uint8Array>
}

const maxHeaderBytes = 1 << 13

/** The parts of a form that a browser sends as `multipart/form-data` (RFC 7578), as they come in. Throws 415 where it is sent as anything else, 400 where it is not whole. */
export async function* readParts(
  body: ReadableStream<Uint8Array> | null,
  contentType: string,
): AsyncGenerator<Part> {
  const [, quoted, unquoted] =
    /^multipart\/form-data;.*?boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? unquoted
  if (boundary === undefined) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the form as multipart/form-data.')
  }
  const incoming = new DelimitedReader(body)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  await drain(incoming.readUntil(delimiter))
  while ((await incoming.readText(2)) === '\r\n') {
    const header = await readPartText(incoming.readUntil(Buffer.from('\r\n\r\n')), maxHeaderBytes)
    const bytes = incoming.readUntil(delimiter)
    yield {
      name: readParameter(header, 'name') ?? '',
      file: readParameter(header, 'filename'),
      bytes,
    }
    await drain(bytes)
  }
}

/** The text that bytes are in UTF-8, of so many bytes at most: 413 where there are more. */
export async function readPartText(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<string> {
  const chunks = readAtMost(maxBytes, bytes, 'What is in the form is too long.')
  return Buffer.concat(await Array.fromAsync(chunks)).toString('utf8')
}

/** What a part's head says of itself; quotes and ends of lines within are percent-encoded. */
function readParameter(header: string, parameter: 'name' | 'filename'): string | undefined {
  const value = new RegExp(`^content-disposition:.*[; ]${parameter}="([^"]*)"`, 'im').exec(
    header,
  )?.[1]
  return value?.replaceAll(/%(22|0D|0A)/gi, (_, code) => String.fromCharCode(Number(`0x${code}`)))
}

async function drain(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}

/** Bytes as they come in, in pieces that end at a delimiter. */
class DelimitedReader {
  readonly #body: AsyncIterator<Uint8Array> | undefined
  // The first boundary has no end of a line before it.
  #buffer: Uint8Array = Buffer.from('\r\n')

  constructor(body: ReadableStream<Uint8Array> | null) {
    this.#body = body?.[Symbol.asyncIterator]()
  }

  /** What comes before the next such delimiter, which is taken off. */
  async *readUntil(delimiter: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const buffer = Buffer.from(this.#buffer.buffer, this.#buffer.byteOffset, this.#buffer.length)
      const index = buffer.indexOf(delimiter)
      const safeLength = index >= 0 ? index : Math.max(0, buffer.length - delimiter.length + 1)
      this.#buffer = buffer.subarray(index >= 0 ? index + delimiter.length : safeLength)
      if (safeLength > 0) yield buffer.subarray(0, safeLength)
      if (index >= 0) return
      await this.#readMore()
    }
  }

  /** So many bytes as text. */
  async readText(count: number): Promise<string> {
    while (this.#buffer.length < count) await this.#readMore()
    const text = Buffer.from(this.#buffer.subarray(0, count)).toString('latin1')
    this.#buffer = this.#buffer.subarray(count)
    return text
  }

  async #readMore(): Promise<void> {
    const { done, value } = (await this.#body?.next()) ?? { done: true }
    if (done || !value) throw new ApiError('BAD_REQUEST', 'The form was not sent whole: try again.')
    this.#buffer = this.#buffer.length === 0 ? value : Buffer.concat([this.#buffer, value])
  }
}
