import { Refusal } from '../terminal/refusal.ts'

/** A part of a file: from which byte to before which, and how many lines are before it that are not in it. */
export type Part = { from: number; to: number; linesBefore: number }

/** The parts of a file, and the row of column names that each but the first must be given; it ends before this byte. */
export type Parts = { head: number; parts: Part[] }

/** How much a part may have. */
export type Most = { bytes: number; records: number }

const newline = 0x0a
const quote = 0x22

/** Where a file is divided between its rows, so that no part has more than is allowed; CSV has a row of column names, and line ends within quotes are no ends of rows. */
export async function partsOf(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  isCsv: boolean,
  most: Most,
): Promise<Parts> {
  const parts: Part[] = []
  let part: Part = { from: 0, to: 0, linesBefore: 0 }
  let [at, line, lineAtEnd, rows, head, headLines] = [0, 0, 0, 0, 0, 0]
  let isQuoted = false
  const endRow = (end: number) => {
    if (isCsv && head === 0) {
      head = end
      headLines = line
    } else {
      rows++
      const own = end - part.from + (parts.length > 0 ? head : 0)
      if ((own > most.bytes || rows > most.records) && part.to > head) {
        parts.push(part)
        part = { from: part.to, to: part.to, linesBefore: lineAtEnd - headLines }
        rows = 1
      }
      if (end - part.from + head > most.bytes) throw tooLong(file, most)
    }
    part.to = end
    lineAtEnd = line
  }
  for await (const chunk of bytes) {
    for (const byte of chunk) {
      at++
      if (byte === quote && isCsv) isQuoted = !isQuoted
      if (byte !== newline) continue
      line++
      if (!isQuoted) endRow(at)
    }
  }
  if (at > part.to) endRow(at)
  return { head, parts: [...parts, part] }
}

const tooLong = (file: string, { bytes }: Most) =>
  new Refusal(`${file} has a row of more than ${bytes.toLocaleString('en-GB')} bytes.`)
