import '../../platform/zip-settings.ts'
import {
  type Entry,
  type FileEntry,
  Uint8ArrayReader,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-custom.js'
import { formatNumber } from '../../platform/format-number.ts'
import { type Source, UnreadableFileError } from '../source/source.ts'

const maxPackedBytes = 64 * 2 ** 20
const maxUnpackedBytes = 512 * 2 ** 20
/** Higher than the expansion of any real sheet, and lower than that of a zip bomb. */
const maxExpansion = 250
const minUnpackedLimit = 2 ** 20
const maxEntries = 10_000
const maxDirectoryBytes = 2 ** 21

/** The XML files in a zip by path; each is inflated while it is read, up to a maximum size. */
export type Zip = ReadonlyMap<string, () => AsyncGenerator<Uint8Array>>

/** Opens a zip. Throws UnreadableFileError if it is damaged or too large for a Worker. */
export async function openZip(source: Source): Promise<Zip> {
  const reader = new ZipReader(new Uint8ArrayReader(await readBytes(source)))
  const files = new Map<string, () => AsyncGenerator<Uint8Array>>()
  let entries = 0
  let directoryBytes = 0
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      directoryBytes += countDirectoryBytes(entry)
      if (++entries > maxEntries || directoryBytes > maxDirectoryBytes) throw tooManyEntries()
      if (entry.directory || !/\.(?:xml|rels)$/i.test(entry.filename)) continue
      files.set(entry.filename.replace(/^\//, ''), () => inflate(entry))
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error
    throw new UnreadableFileError(
      0,
      'is damaged: it is no whole workbook. Save it again as .xlsx or CSV.',
    )
  }
  return files
}

const countDirectoryBytes = ({ rawFilename, rawExtraField, rawComment }: Entry) =>
  rawFilename.length + rawExtraField.length + rawComment.length

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

async function* inflate(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const maxBytes = Math.min(
    maxUnpackedBytes,
    Math.max(minUnpackedLimit, entry.compressedSize * maxExpansion),
  )
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const failure = entry.getData(writable, { checkSignature: false }).then(
    () => undefined,
    (error: unknown) => error,
  )
  let size = 0
  try {
    for await (const chunk of readable) {
      size += chunk.length
      if (size > maxBytes) {
        throw new UnreadableFileError(
          0,
          'unfolds to far more than a workbook holds, and is not read.',
        )
      }
      yield chunk
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error
    throw new UnreadableFileError(
      0,
      'is damaged: it is no whole workbook. Save it again as .xlsx or CSV.',
    )
  }
  if (await failure) throw new UnreadableFileError(0, 'is damaged: it is no whole workbook.')
}
