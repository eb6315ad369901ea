import { maxRecordCharacters, recordTooLong, UnreadableFileError } from '../source/source.ts'

/** A row of a CSV file: the number of its first line, and its cells. */
type CsvRow = { line: number; cells: string[] }

/** The separator of a CSV file, and whether to accept quotes that RFC 4180 does not allow. */
type CsvStyle = { delimiter?: string; relaxQuotes?: boolean }

const minScanCharacters = 2 ** 16

/** Yields the non-empty rows of a CSV text. Throws UnreadableFileError with the line if the text is not CSV or a row is too long. */
export async function* readCsvRows(
  text: AsyncIterable<string>,
  { delimiter = ',', relaxQuotes = false }: CsvStyle = {},
): AsyncGenerator<CsvRow> {
  const scanner = new CsvScanner(delimiter, relaxQuotes)
  for await (const chunk of text) yield* scanner.readChunk(chunk)
  yield* scanner.finish()
}

/** A cell's value and end index; undefined if the cell is incomplete in the text so far. */
type ScannedCell = { value: string; end: number } | undefined

class CsvScanner {
  readonly #delimiter: string
  readonly #relaxesQuotes: boolean
  /** Unparsed text from the start of a row; scanned again once it has doubled in length. */
  #text = ''
  #scanAtLength = minScanCharacters
  #line = 1
  #isEnd = false
  /** The next index of each search text, cached to avoid repeated searches. */
  readonly #nextIndex = new Map<string, number>()

  constructor(delimiter: string, relaxesQuotes: boolean) {
    this.#delimiter = delimiter
    this.#relaxesQuotes = relaxesQuotes
  }

  *readChunk(chunk: string): Generator<CsvRow> {
    this.#text += chunk
    if (this.#text.length < this.#scanAtLength) return
    yield* this.#readRows()
    this.#scanAtLength = Math.max(minScanCharacters, 2 * this.#text.length)
  }

  *finish(): Generator<CsvRow> {
    this.#isEnd = true
    yield* this.#readRows()
  }

  *#readRows(): Generator<CsvRow> {
    this.#nextIndex.clear()
    let from = 0
    while (from < this.#text.length) {
      const row = this.#readRow(from)
      const length = (row?.end ?? this.#text.length) - from
      if (length > maxRecordCharacters) throw new UnreadableFileError(this.#line, recordTooLong)
      if (!row) break
      if (row.cells.some((cell) => cell.trim() !== '')) {
        yield { line: this.#line, cells: row.cells }
      }
      this.#line += row.lines
      from = row.end
    }
    this.#text = this.#text.slice(from)
  }

  /** Reads a row, its number of lines and its end index; returns undefined if the row is incomplete. */
  #readRow(from: number): { cells: string[]; lines: number; end: number } | undefined {
    const cells: string[] = []
    let lines = 1
    let at = from
    for (;;) {
      const isQuoted = this.#text[at] === '"'
      const cell: ScannedCell = isQuoted ? this.#readQuotedCell(at) : this.#readPlainCell(at)
      if (!cell) return undefined
      cells.push(cell.value)
      if (isQuoted) lines += cell.value.match(/\r\n|\r|\n/g)?.length ?? 0
      const separator = this.#text[cell.end]
      if (separator !== this.#delimiter) {
        if (separator === undefined) return { cells, lines, end: cell.end }
        const isLast = separator === '\r' && cell.end + 1 === this.#text.length
        if (isLast && !this.#isEnd) return undefined
        const isCrLf = separator === '\r' && this.#text[cell.end + 1] === '\n'
        return { cells, lines, end: cell.end + (isCrLf ? 2 : 1) }
      }
      at = cell.end + 1
    }
  }

  #readPlainCell(at: number): ScannedCell {
    const end = Math.min(
      this.#indexOf(this.#delimiter, at),
      this.#indexOf('\n', at),
      this.#indexOf('\r', at),
    )
    if (end === this.#text.length && !this.#isEnd) return undefined
    const value = this.#text.slice(at, end)
    if (!this.#relaxesQuotes && value.includes('"')) throw this.#invalidCsv()
    return { value, end }
  }

  #readQuotedCell(at: number): ScannedCell {
    let value = ''
    for (let from = at + 1; ; ) {
      const quote = this.#indexOf('"', from)
      if (quote === this.#text.length) {
        if (this.#isEnd) throw this.#invalidCsv()
        return undefined
      }
      const next = this.#text[quote + 1]
      if (next === undefined && !this.#isEnd) return undefined
      const isEscapedQuote = next === '"'
      const isClosing =
        next === undefined || next === this.#delimiter || next === '\n' || next === '\r'
      if (!isEscapedQuote && isClosing) {
        return { value: value + this.#text.slice(from, quote), end: quote + 1 }
      }
      if (!isEscapedQuote && !this.#relaxesQuotes) throw this.#invalidCsv()
      value += this.#text.slice(from, quote + 1)
      from = quote + (isEscapedQuote ? 2 : 1)
    }
  }

  #indexOf(text: string, from: number): number {
    const cachedIndex = this.#nextIndex.get(text) ?? -1
    if (cachedIndex >= from) return cachedIndex
    const foundIndex = this.#text.indexOf(text, from)
    const index = foundIndex < 0 ? this.#text.length : foundIndex
    this.#nextIndex.set(text, index)
    return index
  }

  // The message omits the row, because it may be personal.
  #invalidCsv = () => new UnreadableFileError(this.#line, 'is not valid CSV.')
}
