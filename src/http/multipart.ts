import { Buffer } from 'node:buffer'
import { ApiError } from '../model/api-error.ts'
import { readAtMost } from './body.ts'

/** A part of a form. `file` is the name of a file; `bytes` must be read before the next part. */
export type Part = {
  name: string
  file: string | undefined
  bytes: AsyncIterable<Uint8Array>
}

const maxHeaderBytes = 1 << 13

/** Yields the parts of a `multipart/form-data` body (RFC 7578) while it arrives. Throws 415 for another media type, 400 for an incomplete form. */
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

/** Reads bytes as UTF-8 text. Throws 413 over `maxBytes`. */
export async function readPartText(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<string> {
  const chunks = readAtMost(maxBytes, bytes, 'A field of the form is too long.')
  return Buffer.concat(await Array.fromAsync(chunks)).toString('utf8')
}

function readParameter(header: string, parameter: 'name' | 'filename'): string | undefined {
  const value = new RegExp(`^content-disposition:.*[; ]${parameter}="([^"]*)"`, 'im').exec(
    header,
  )?.[1]
  return value?.replaceAll(/%(22|0D|0A)/gi, (_, code) => String.fromCharCode(Number(`0x${code}`)))
}

async function drain(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}

/** A reader that splits incoming bytes at delimiters. */
class DelimitedReader {
  readonly #body: AsyncIterator<Uint8Array> | undefined
  // The first boundary has no line break before it.
  #buffer: Uint8Array = Buffer.from('\r\n')

  constructor(body: ReadableStream<Uint8Array> | null) {
    this.#body = body?.[Symbol.asyncIterator]()
  }

  /** Yields the bytes before the next delimiter and removes the delimiter. */
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

  async readText(count: number): Promise<string> {
    while (this.#buffer.length < count) await this.#readMore()
    const text = Buffer.from(this.#buffer.subarray(0, count)).toString('latin1')
    this.#buffer = this.#buffer.subarray(count)
    return text
  }

  async #readMore(): Promise<void> {
    const { done, value } = (await this.#body?.next()) ?? { done: true }
    if (done || !value) throw new ApiError('BAD_REQUEST', 'The form is incomplete: send it again.')
    this.#buffer = this.#buffer.length === 0 ? value : Buffer.concat([this.#buffer, value])
  }
}
