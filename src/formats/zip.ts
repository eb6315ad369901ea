import { crc32 } from 'node:zlib'
import type { ArchiveFile } from './personal-data.ts'
import { createStream, type OnError, streamBytes } from './stream.ts'

/*
 * Writes zip files of less than 4 GiB, as PKWARE's APPNOTE describes them; a larger one breaks off with an error. A file is compressed while it is produced, so
 * its checksum and sizes come after it, and again in the directory at the end.
 */

/** A file in the zip: its offset, and the checksum and sizes of the bytes so far. */
type Entry = { name: Uint8Array; offset: number; crc: number; packed: number; unpacked: number }

/** Streams a zip of files; each is written after the reader took the previous one. */
export const createZip = (
  files: AsyncIterable<ArchiveFile>,
  onError: OnError,
): ReadableStream<Uint8Array> => streamBytes(writeZip(files), onError)

async function* writeZip(files: AsyncIterable<ArchiveFile>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  const time = toDosTime(new Date())
  const entries: Entry[] = []
  let offset = 0
  for await (const { name, texts } of files) {
    const entry: Entry = { name: encoder.encode(name), offset, crc: 0, packed: 0, unpacked: 0 }
    entries.push(entry)
    for await (const bytes of writeEntry(entry, texts, time)) {
      offset += bytes.length
      if (Math.max(offset, entry.unpacked) > zipLimits.bytes || entries.length > zipLimits.files)
        throw new Error('The zip would have more than 4 GiB, or more than 65,534 files.')
      yield bytes
    }
  }
  const directory = entries.flatMap((entry) => [describeEntry(entry, time), entry.name])
  yield* directory
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const count = [2, entries.length] as const
  yield pack([4, 0x06054b50], [4, 0], count, count, [4, size], [4, offset], [2, 0])
}

async function* writeEntry(entry: Entry, texts: ArchiveFile['texts'], time: number) {
  yield pack([4, 0x04034b50], ...commonFields({ ...entry }, time))
  yield entry.name
  yield* deflate(texts, entry)
  yield pack([4, 0x08074b50], [4, entry.crc], [4, entry.packed], [4, entry.unpacked])
}

/** The header of a file in the directory. */
const describeEntry = (entry: Entry, time: number): Uint8Array =>
  pack(
    ...[[4, 0x02014b50] as const, [2, version] as const],
    ...commonFields(entry, time),
    ...[[2, 0] as const, [4, 0] as const, [4, 0] as const, [4, entry.offset] as const],
  )

const version = 20

/** The greatest numbers that the headers hold. A directory of this many files is small beside them. */
export const zipLimits = { bytes: 2 ** 32 - 2 ** 24, files: 2 ** 16 - 2 }

/** The fields of both headers of a file: sizes follow the file, and names are in UTF-8. */
const commonFields = ({ name, crc, packed, unpacked }: Entry, time: number): Field[] => [
  [2, version],
  [2, 0x0808],
  [2, 8],
  [4, time],
  [4, crc],
  [4, packed],
  [4, unpacked],
  [2, name.length],
  [2, 0],
]

/** Compresses texts, and notes their checksum and sizes. */
async function* deflate(texts: ArchiveFile['texts'], entry: Entry): AsyncGenerator<Uint8Array> {
  let streamError: unknown
  const source = createStream(texts, (error) => {
    streamError = error
  })
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      entry.crc = crc32(bytes, entry.crc)
      entry.unpacked += bytes.length
      controller.enqueue(bytes)
    },
  })
  try {
    for await (const bytes of source
      .pipeThrough(counted)
      .pipeThrough(new CompressionStream('deflate-raw'))) {
      entry.packed += bytes.length
      yield bytes
    }
  } catch (error) {
    throw streamError ?? error
  }
}

/** A number in a zip, and its number of bytes. */
type Field = readonly [bytes: 2 | 4, value: number]

/** Little-endian numbers. */
function pack(...fields: readonly Field[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [bytes]) => sum + bytes, 0)))
  let offset = 0
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(offset, value, true)
    else view.setUint32(offset, value, true)
    offset += bytes
  }
  return new Uint8Array(view.buffer)
}

/** A time as MS-DOS has it, here in UTC: the date in the upper 16 bits, seconds by two. */
const toDosTime = (time: Date): number =>
  (time.getUTCFullYear() - 1980) * 2 ** 25 +
  (time.getUTCMonth() + 1) * 2 ** 21 +
  time.getUTCDate() * 2 ** 16 +
  time.getUTCHours() * 2 ** 11 +
  time.getUTCMinutes() * 2 ** 5 +
  Math.floor(time.getUTCSeconds() / 2)
