import { longestRecord, tooLong, Unreadable } from './read.ts'

/** A row of a CSV file: the line it begins on, and its cells. */
export type CsvRow = { line: number; cells: string[] }

/** How a CSV file is written: what is between its cells, and whether a quote that RFC 4180 has no place for is only a quote. */
export type CsvStyle = { delimiter?: string; relaxQuotes?: boolean }

const scanned = 2 ** 16

/** The rows of a CSV text that have a value. Throws Unreadable, with the line, where the text is not CSV or a row is too long. */
export async function* csvRows(
  text: AsyncIterable<string>,
  { delimiter = ',', relaxQuotes = false }: CsvStyle = {},
): AsyncGenerator<CsvRow> {
  const scan = new Scan(delimiter, relaxQuotes)
  for await (const chunk of text) yield* scan.rowsIn(chunk)
  yield* scan.end()
}

/** A cell that was read: itself, and where it ends; undefined where the text goes on. */
type Cell = { value: string; end: number } | undefined

class Scan {
  readonly #delimiter: string
  readonly #relaxed: boolean
  /** What was not read yet, from the beginning of a row; it is read again once there is much more. */
  #text = ''
  #enough = scanned
  #line = 1
  #isEnd = false
  /** Where the next of each of these is, so that none is looked for twice. */
  readonly #next = new Map<string, number>()

  constructor(delimiter: string, relaxed: boolean) {
    this.#delimiter = delimiter
    this.#relaxed = relaxed
  }

  *rowsIn(chunk: string): Generator<CsvRow> {
    this.#text += chunk
    if (this.#text.length < this.#enough) return
    yield* this.#rows()
    this.#enough = Math.max(scanned, 2 * this.#text.length)
  }

  *end(): Generator<CsvRow> {
    this.#isEnd = true
    yield* this.#rows()
  }

  *#rows(): Generator<CsvRow> {
    this.#next.clear()
    let from = 0
    while (from < this.#text.length) {
      const row = this.#row(from)
      const length = (row?.end ?? this.#text.length) - from
      if (length > longestRecord) throw new Unreadable(this.#line, tooLong)
      if (!row) break
      if (row.cells.some((cell) => cell.trim() !== '')) {
        yield { line: this.#line, cells: row.cells }
      }
      this.#line += row.lines
      from = row.end
    }
    this.#text = this.#text.slice(from)
  }

  /** The row that begins here, how many lines it is of, and where the next begins; undefined where it goes on after the text. */
  #row(from: number): { cells: string[]; lines: number; end: number } | undefined {
    const cells: string[] = []
    let lines = 1
    let at = from
    for (;;) {
      const isQuoted = this.#text[at] === '"'
      const cell: Cell = isQuoted ? this.#quoted(at) : this.#plain(at)
      if (!cell) return undefined
      cells.push(cell.value)
      if (isQuoted) lines += cell.value.match(/\r\n|\r|\n/g)?.length ?? 0
      const mark = this.#text[cell.end]
      if (mark !== this.#delimiter) {
        if (mark === undefined) return { cells, lines, end: cell.end }
        const isLast = mark === '\r' && cell.end + 1 === this.#text.length
        if (isLast && !this.#isEnd) return undefined
        const isTwo = mark === '\r' && this.#text[cell.end + 1] === '\n'
        return { cells, lines, end: cell.end + (isTwo ? 2 : 1) }
      }
      at = cell.end + 1
    }
  }

  #plain(at: number): Cell {
    const end = Math.min(
      this.#find(this.#delimiter, at),
      this.#find('\n', at),
      this.#find('\r', at),
    )
    if (end === this.#text.length && !this.#isEnd) return undefined
    const value = this.#text.slice(at, end)
    if (!this.#relaxed && value.includes('"')) throw this.#broken()
    return { value, end }
  }

  #quoted(at: number): Cell {
    let value = ''
    for (let from = at + 1; ; ) {
      const quote = this.#find('"', from)
      if (quote === this.#text.length) {
        if (this.#isEnd) throw this.#broken()
        return undefined
      }
      const next = this.#text[quote + 1]
      if (next === undefined && !this.#isEnd) return undefined
      const isDouble = next === '"'
      const closes =
        next === undefined || next === this.#delimiter || next === '\n' || next === '\r'
      if (!isDouble && closes) {
        return { value: value + this.#text.slice(from, quote), end: quote + 1 }
      }
      if (!isDouble && !this.#relaxed) throw this.#broken()
      value += this.#text.slice(from, quote + 1)
      from = quote + (isDouble ? 2 : 1)
    }
  }

  #find(mark: string, from: number): number {
    const known = this.#next.get(mark) ?? -1
    if (known >= from) return known
    const found = this.#text.indexOf(mark, from)
    const place = found < 0 ? this.#text.length : found
    this.#next.set(mark, place)
    return place
  }

  // The row is personal.
  #broken = () => new Unreadable(this.#line, 'is not valid CSV.')
}
