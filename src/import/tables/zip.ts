import {
  configure,
  type Entry,
  type FileEntry,
  Uint8ArrayReader,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-custom.js'
import { type Source, Unreadable } from '../read.ts'

// Workers would hold a copy of what they inflate. A piece is inflated whole, to a thousand times its size.
configure({ useWebWorkers: false, chunkSize: 2 ** 14 })

const mostPacked = 64 * 2 ** 20
const mostUnpacked = 512 * 2 ** 20
/** What no sheet reaches, and what a few kilobytes that unfold to gigabytes exceed. */
const mostTimes = 250
const alwaysFine = 2 ** 20
const maxEntries = 10_000
const maxDirectoryBytes = 2 ** 21

/** The files within a zip, by their paths; each is inflated as it is read, and no further than a workbook can be. */
export type Zip = ReadonlyMap<string, () => AsyncGenerator<Uint8Array>>

/** Opens a zip. Throws Unreadable where it is none, or is larger than a Worker can hold. */
export async function openZip(source: Source): Promise<Zip> {
  const reader = new ZipReader(new Uint8ArrayReader(await bytesOf(source)))
  const files = new Map<string, () => AsyncGenerator<Uint8Array>>()
  let entries = 0
  let directoryBytes = 0
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      directoryBytes += directoryBytesOf(entry)
      if (++entries > maxEntries || directoryBytes > maxDirectoryBytes) throw tooManyEntries()
      if (entry.directory || !/\.(?:xml|rels)$/i.test(entry.filename)) continue
      files.set(entry.filename.replace(/^\//, ''), () => inflated(entry))
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable(0, 'is damaged: it is no whole workbook. Save it again as .xlsx or CSV.')
  }
  return files
}

const directoryBytesOf = ({ rawFilename, rawExtraField, rawComment }: Entry) =>
  rawFilename.length + rawExtraField.length + rawComment.length

const tooManyEntries = () =>
  new Unreadable(
    0,
    `has more than ${maxEntries.toLocaleString('en-GB')} parts, or names of parts of more than ${maxDirectoryBytes >> 20} MB: save the sheet as CSV.`,
  )

async function bytesOf(source: Source): Promise<Uint8Array> {
  const tooLarge = `is a workbook of more than ${mostPacked / 2 ** 20} MB: save the sheet as CSV, which may be of any size.`
  if (source.size > mostPacked) throw new Unreadable(0, tooLarge)
  // No copy of it: a Worker has 128 MB for all.
  const bytes = new Uint8Array(source.size)
  let at = 0
  for await (const chunk of source.bytes()) {
    if (at + chunk.length > bytes.length) throw new Unreadable(0, 'was changed meanwhile.')
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes.subarray(0, at)
}

async function* inflated(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const most = Math.min(mostUnpacked, Math.max(alwaysFine, entry.compressedSize * mostTimes))
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const failed = entry.getData(writable, { checkSignature: false }).then(
    () => undefined,
    (error: unknown) => error,
  )
  let size = 0
  try {
    for await (const chunk of readable) {
      size += chunk.length
      if (size > most) {
        throw new Unreadable(0, 'unfolds to far more than a workbook holds, and is not read.')
      }
      yield chunk
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable(0, 'is damaged: it is no whole workbook. Save it again as .xlsx or CSV.')
  }
  if (await failed) throw new Unreadable(0, 'is damaged: it is no whole workbook.')
}
