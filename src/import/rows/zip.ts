import { streamBytes } from '../../formats/stream.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { type Source, UnreadableFileError } from '../source/source.ts'
import { readDirectory, readPacked, type ZipEntry } from './zip-directory.ts'

const maxPackedBytes = 64 * 2 ** 20
const maxUnpackedBytes = 512 * 2 ** 20
/** Higher than the expansion of any real sheet, and lower than that of a zip bomb. */
const maxExpansion = 250
const minUnpackedLimit = 2 ** 20
const maxEntries = 10_000
const maxDirectoryBytes = 2 ** 21

/** A chunk is inflated whole, to as much as 1,000 times its size. */
const chunkBytes = 2 ** 14

/** The XML files in a zip by path; each is inflated while it is read, up to a maximum size. */
export type Zip = ReadonlyMap<string, () => AsyncGenerator<Uint8Array>>

/** Opens a zip. Throws UnreadableFileError if it is damaged or too large for a Worker. */
export async function openZip(source: Source): Promise<Zip> {
  const bytes = await readBytes(source)
  const zip = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const files = new Map<string, () => AsyncGenerator<Uint8Array>>()
  let entries = 0
  let directoryBytes = 0
  try {
    for (const entry of readDirectory(zip)) {
      directoryBytes += entry.described
      if (++entries > maxEntries || directoryBytes > maxDirectoryBytes) throw tooManyEntries()
      if (!/\.(?:xml|rels)$/i.test(entry.name)) continue
      files.set(entry.name.replace(/^\//, ''), () => inflate(zip, entry))
    }
  } catch (error) {
    throw toUnreadable(error)
  }
  return files
}

/** The error for a file that is not readable, by default because it is damaged. */
const toUnreadable = (error: unknown): UnreadableFileError =>
  error instanceof UnreadableFileError
    ? error
    : new UnreadableFileError(
        0,
        'is damaged: it is no whole workbook. Save it again as .xlsx or CSV.',
      )

const tooManyEntries = () =>
  new UnreadableFileError(
    0,
    `has more than ${formatNumber(maxEntries)} parts, or names of parts of more than ${maxDirectoryBytes >> 20} MB: save the sheet as CSV.`,
  )

async function readBytes(source: Source): Promise<Uint8Array> {
  const tooLarge = `is a workbook of more than ${maxPackedBytes / 2 ** 20} MB: save the sheet as CSV, which may be of any size.`
  if (source.size > maxPackedBytes) throw new UnreadableFileError(0, tooLarge)
  // Avoids a second copy: a Worker has 128 MB of memory in total.
  const bytes = new Uint8Array(source.size)
  let offset = 0
  for await (const chunk of source.bytes()) {
    if (offset + chunk.length > bytes.length)
      throw new UnreadableFileError(0, 'was changed meanwhile.')
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes.subarray(0, offset)
}

/** Yields the unpacked bytes of a file. Those of an encrypted one have another size than the directory says. */
async function* inflate(zip: DataView, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const maxBytes = Math.min(
    maxUnpackedBytes,
    Math.max(minUnpackedLimit, entry.packed * maxExpansion),
  )
  let size = 0
  try {
    const packed = streamBytes(splitChunks(readPacked(zip, entry)), () => {})
    const inflated = entry.isDeflated
      ? packed.pipeThrough(new DecompressionStream('deflate-raw'))
      : packed
    for await (const chunk of inflated) {
      size += chunk.length
      if (size > maxBytes)
        throw new UnreadableFileError(
          0,
          'unfolds to far more than a workbook holds, and is not read.',
        )
      yield chunk
    }
    if (size !== entry.unpacked) throw new RangeError('It has another size.')
  } catch (error) {
    throw toUnreadable(error)
  }
}

async function* splitChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let start = 0; start < bytes.length; start += chunkBytes)
    yield bytes.subarray(start, start + chunkBytes)
}
