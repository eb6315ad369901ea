import { CommandError } from '../terminal/report.ts'

/** A byte range of a file, and the number of lines before it that are not sent with it. */
type FilePart = { from: number; to: number; linesBefore: number }

/** The parts of a file. Each is sent with the heading row, which ends at `headerEnd`. */
export type FileParts = { headerEnd: number; parts: FilePart[] }

/** The maximum size of a part. */
export type PartLimits = { bytes: number; records: number }

const newline = 0x0a
const quote = 0x22

/** Splits a file between rows into parts within the limits. A line break within CSV quotes does not end a row. */
export async function splitFile(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  isCsv: boolean,
  limits: PartLimits,
): Promise<FileParts> {
  const parts: FilePart[] = []
  let part: FilePart = { from: 0, to: 0, linesBefore: 0 }
  let [offset, line, lineAtEnd, rows, headerEnd, headerLines] = [0, 0, 0, 0, 0, 0]
  let isQuoted = false
  const endRow = (end: number) => {
    if (isCsv && headerEnd === 0) {
      headerEnd = end
      headerLines = line
    } else {
      rows++
      const partBytes = end - part.from + (parts.length > 0 ? headerEnd : 0)
      if ((partBytes > limits.bytes || rows > limits.records) && part.to > headerEnd) {
        parts.push(part)
        part = { from: part.to, to: part.to, linesBefore: lineAtEnd - headerLines }
        rows = 1
      }
      if (end - part.from + headerEnd > limits.bytes) throw rowTooLong(file, limits)
    }
    part.to = end
    lineAtEnd = line
  }
  for await (const chunk of bytes) {
    for (const byte of chunk) {
      offset++
      if (byte === quote && isCsv) isQuoted = !isQuoted
      if (byte !== newline) continue
      line++
      if (!isQuoted) endRow(offset)
    }
  }
  if (offset > part.to) endRow(offset)
  return { headerEnd, parts: [...parts, part] }
}

const rowTooLong = (file: string, { bytes }: PartLimits) =>
  new CommandError(`${file} has a row of more than ${bytes.toLocaleString('en-GB')} bytes.`)
