import { decode, readUtf8, type Source, UnreadableFileError } from './source.ts'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

const sampleBytes = 4096

/** Detects the encoding by the byte order mark, by the zero bytes of UTF-16, or by reading the whole file as UTF-8. Falls back to Windows-1252. */
export async function detectEncoding(source: Source): Promise<Encoding> {
  const start = await readFirstBytes(source, sampleBytes)
  const [first, second, third] = start
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  const zeros = [0, 0]
  for (const [index, byte] of start.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  }
  const [even = 0, odd = 0] = zeros
  const minZeros = start.length / 8
  if (odd > minZeros && even < minZeros / 8) return 'utf-16le'
  if (even > minZeros && odd < minZeros / 8) return 'utf-16be'
  return (await isUtf8(source)) ? 'utf-8' : 'windows-1252'
}

/** Yields a file's text in chunks, without a byte order mark. Throws UnreadableFileError if it is not text in this encoding. */
export async function* decodeText(source: Source, encoding: Encoding): AsyncGenerator<string> {
  const message = `is not whole: it begins as ${encoding.toUpperCase()} and ends as none.`
  for await (const text of decode(encoding, source.bytes(), message)) yield rejectNul(text)
}

export async function readFirstBytes(source: Source, size: number): Promise<Uint8Array> {
  const start = new Uint8Array(size)
  let length = 0
  for await (const bytes of source.bytes()) {
    const part = bytes.subarray(0, size - length)
    start.set(part, length)
    length += part.length
    if (length === size) break
  }
  return start.subarray(0, length)
}

function rejectNul(text: string): string {
  if (!text.includes('\0')) return text
  throw new UnreadableFileError(
    0,
    'has NUL characters: it is damaged, or it is not a text file. Export it again as CSV or XLSX.',
  )
}

async function isUtf8(source: Source): Promise<boolean> {
  try {
    for await (const _ of readUtf8(source));
    return true
  } catch (error) {
    if (error instanceof UnreadableFileError) return false
    throw error
  }
}
