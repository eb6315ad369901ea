/*
 * Reads the directory of a zip, as PKWARE's APPNOTE describes it. Numbers are little-endian. A RangeError means that the
 * zip is damaged.
 */

/** A file in a zip: where it is, how many bytes it has there, and how many when it is inflated. */
export type ZipEntry = {
  name: string
  isDeflated: boolean
  offset: number
  packed: number
  unpacked: number
  /** The bytes of the texts that describe it. */
  described: number
}

const signatures = {
  file: 0x04034b50,
  entry: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
}

/** The value of a number that has 64 bits elsewhere. */
const max32 = 0xffffffff

const [entryBytes, endBytes, locatorBytes, maxCommentBytes] = [46, 22, 20, 0xffff]

/** Yields the entries of the directory. The number of them in the zip may have wrapped, so it does not count. */
export function* readDirectory(zip: DataView): Generator<ZipEntry> {
  let offset = findDirectory(zip)
  while (hasSignature(zip, offset, signatures.entry)) {
    const entry = readEntry(zip, offset)
    yield entry
    offset += entryBytes + entry.described
  }
}

/** The packed bytes of a file in a zip. */
export function readPacked(zip: DataView, { offset, packed }: ZipEntry): Uint8Array {
  if (!hasSignature(zip, offset, signatures.file)) throw new RangeError('This is no file.')
  const start = offset + 30 + zip.getUint16(offset + 26, true) + zip.getUint16(offset + 28, true)
  return new Uint8Array(zip.buffer, zip.byteOffset + start, packed)
}

const hasSignature = (zip: DataView, offset: number, signature: number) =>
  zip.getUint32(offset, true) === signature

/** The offset of the directory, from the record at the end of the zip, in front of a comment. */
function findDirectory(zip: DataView): number {
  const last = zip.byteLength - endBytes
  for (let end = last; end >= Math.max(0, last - maxCommentBytes); end--) {
    if (!hasSignature(zip, end, signatures.end)) continue
    const offset = zip.getUint32(end + 16, true)
    if (offset !== max32) return offset
    const end64 = getUint64(zip, end - locatorBytes + 8)
    if (hasSignature(zip, end64, signatures.end64)) return getUint64(zip, end64 + 48)
  }
  throw new RangeError('The directory is missing.')
}

function readEntry(zip: DataView, start: number): ZipEntry {
  const [nameBytes, extraBytes, commentBytes] = [
    zip.getUint16(start + 28, true),
    zip.getUint16(start + 30, true),
    zip.getUint16(start + 32, true),
  ]
  const nameStart = start + entryBytes
  const read64 = longNumbers(zip, nameStart + nameBytes, extraBytes)
  const read = (at: number) => {
    const number = zip.getUint32(start + at, true)
    return number === max32 ? read64() : number
  }
  return {
    name: new TextDecoder().decode(
      new Uint8Array(zip.buffer, zip.byteOffset + nameStart, nameBytes),
    ),
    isDeflated: zip.getUint16(start + 10, true) === 8,
    // The extra field has them in this order.
    unpacked: read(24),
    packed: read(20),
    offset: read(42),
    described: nameBytes + extraBytes + commentBytes,
  }
}

/** Reads the numbers of 64 bits, one by one, in the extra fields of an entry. */
function longNumbers(zip: DataView, start: number, bytes: number): () => number {
  let next = start
  while (next < start + bytes && zip.getUint16(next, true) !== 1)
    next += 4 + zip.getUint16(next + 2, true)
  next += 4
  return () => {
    if (next + 8 > start + bytes) throw new RangeError('A number is missing.')
    next += 8
    return getUint64(zip, next - 8)
  }
}

const getUint64 = (zip: DataView, offset: number) => Number(zip.getBigUint64(offset, true))
