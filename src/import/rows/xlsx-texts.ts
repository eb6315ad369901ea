import { formatNumber } from '../../platform/format-number.ts'
import { UnreadableFileError } from '../source/source.ts'
import { parseXml } from './xml.ts'

const maxTextBytes = 32 * 2 ** 20
const maxTexts = 4_000_000

// About three times Excel's limit.
const maxCellCharacters = 100_000

/** The text of a cell, collected in pieces. */
export class CellText {
  #pieces: string[] = []
  #length = 0

  /** Adds a piece of text. Throws UnreadableFileError with the line if the cell has too much text. */
  add(piece: string, line: number): void {
    this.#length += piece.length
    if (this.#length > maxCellCharacters) {
      throw new UnreadableFileError(
        line,
        `has a cell of more than ${formatNumber(maxCellCharacters)} characters.`,
      )
    }
    if (piece !== '') this.#pieces.push(piece)
  }

  /** The whole text and resets it. */
  take(): string {
    // Joins once, because a string that grows piece by piece takes 32 bytes for each piece.
    const text = this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    return text
  }
}

/** The shared texts of a workbook by index, stored as bytes because strings take far more memory. */
export class SharedTexts {
  #bytes = new Uint8Array(2 ** 16)
  #ends = new Uint32Array(2 ** 12)
  #count = 0
  readonly #encoder = new TextEncoder()
  readonly #decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

  add(text: string): void {
    const start = this.#count === 0 ? 0 : (this.#ends[this.#count - 1] ?? 0)
    const bytes = this.#encoder.encode(text)
    if (start + bytes.length > maxTextBytes || this.#count === maxTexts) {
      throw new UnreadableFileError(
        0,
        'has more text than is read from a workbook: save the sheet as CSV, which may be of any size.',
      )
    }
    while (start + bytes.length > this.#bytes.length) this.#bytes = doubleCapacity(this.#bytes)
    if (this.#count === this.#ends.length) {
      const ends = new Uint32Array(this.#ends.length * 2)
      ends.set(this.#ends)
      this.#ends = ends
    }
    this.#bytes.set(bytes, start)
    this.#ends[this.#count++] = start + bytes.length
  }

  at(number: number): string {
    if (!(number >= 0 && number < this.#count)) return ''
    const start = number === 0 ? 0 : this.#ends[number - 1]
    return this.#decoder.decode(this.#bytes.subarray(start, this.#ends[number]))
  }
}

function doubleCapacity(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2)
  larger.set(bytes)
  return larger
}

/** Reads `sharedStrings.xml` without its phonetic texts (`rPh`). */
export async function readSharedTexts(bytes: AsyncIterable<Uint8Array>): Promise<SharedTexts> {
  const texts = new SharedTexts()
  const text = new CellText()
  let isText = false
  let isPhonetic = false
  for await (const events of parseXml(bytes)) {
    for (const event of events) {
      if ('text' in event) {
        if (isText && !isPhonetic) text.add(event.text, 0)
      } else if ('opens' in event) {
        if (event.opens === 'si') text.take()
        if (event.opens === 'rPh') isPhonetic = true
        isText = event.opens === 't'
      } else {
        if (event.closes === 'si') texts.add(text.take())
        if (event.closes === 'rPh') isPhonetic = false
        isText = false
      }
    }
  }
  return texts
}
