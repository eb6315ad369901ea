import { longestRecord, type Source, tooLong, Unreadable } from '../read.ts'
import { fromSerial, timeFromSerial } from '../spellings/serials.ts'
import { columnNames, headingsAmong, sampleRows } from './headings.ts'
import { mostColumns, type Row, refuseWide, type Table } from './table.ts'
import { type Shown, stylesOf } from './xlsx-styles.ts'
import { CellText, SharedTexts, sharedTexts } from './xlsx-texts.ts'
import { type Said, xmlOf } from './xml.ts'
import { openZip, type Zip } from './zip.ts'

type Workbook = {
  zip: Zip
  texts: SharedTexts
  styles: Shown[]
  is1904: boolean
}

/** A sheet of an Excel workbook as a table: the first that is not hidden, or the one of this name. */
export async function xlsxTable(source: Source, sheet?: string): Promise<Table> {
  const zip = await openZip(source)
  const { sheets, is1904 } = await sheetsOf(zip)
  const names = sheets.map(({ name }) => name)
  const wanted = sheet?.trim().toLowerCase()
  const chosen =
    wanted === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : sheets.find(({ name }) => name.toLowerCase() === wanted)
  if (!chosen)
    throw new Unreadable(0, `has no sheet ${sheet ?? ''}; its sheets: ${names.join(', ')}.`)
  const texts = zip.get('xl/sharedStrings.xml')
  const styles = zip.get('xl/styles.xml')
  const workbook: Workbook = {
    zip,
    texts: texts ? await sharedTexts(texts()) : new SharedTexts(),
    styles: styles ? await stylesOf(styles()) : [],
    is1904,
  }
  const first: Row[] = []
  let characters = 0
  for await (const row of rowsOf(workbook, chosen.path)) {
    if (row.cells.some((cell) => cell.trim() !== '')) first.push(row)
    characters += charactersOf(row)
    if (first.length === sampleRows || characters > maxSampleCharacters) break
  }
  const heading = headingsAmong(first)
  return {
    format: { kind: 'xlsx', sheet: chosen.name, sheets: names },
    headings: columnNames(heading.cells),
    headingLine: heading.line,
    async *rows() {
      for await (const row of rowsOf(workbook, chosen.path)) {
        if (row.line > heading.line && row.cells.some((cell) => cell.trim() !== '')) yield row
      }
    },
  }
}

const maxSampleCharacters = 1_000_000
const charactersOf = ({ cells }: Row) => cells.reduce((sum, cell) => sum + cell.length, 0)

type Sheet = { name: string; path: string; isHidden: boolean }

const maxSheets = 1000
const maxNameCharacters = 255

async function sheetsOf(zip: Zip): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const book = zip.get('xl/workbook.xml')
  const links = zip.get('xl/_rels/workbook.xml.rels')
  if (!book || !links) throw new Unreadable(0, 'is a zip, but no Excel workbook (.xlsx).')
  const named: { name: string; id: string; isHidden: boolean }[] = []
  let is1904 = false
  for await (const { opens, attributes } of opened(book())) {
    if (opens === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '')
    if (opens !== 'sheet') continue
    const { name = '', id = '', state = 'visible' } = attributes
    if (named.length === maxSheets) {
      throw new Unreadable(0, `has more than ${maxSheets.toLocaleString('en-GB')} sheets.`)
    }
    if (name.length + id.length > maxNameCharacters) {
      throw new Unreadable(
        0,
        `has a sheet with a name of more than ${maxNameCharacters} characters.`,
      )
    }
    named.push({ name, id, isHidden: state !== 'visible' })
  }
  const paths = new Map(named.map(({ id }) => [id, '']))
  for await (const { opens, attributes } of opened(links())) {
    if (opens !== 'Relationship' || !paths.has(attributes.Id ?? '')) continue
    const target = (attributes.Target ?? '').replace(/^\/?(?:xl\/)?/, 'xl/')
    if (zip.has(target)) paths.set(attributes.Id ?? '', target)
  }
  const sheets = named.flatMap(({ name, id, isHidden }) => {
    const path = paths.get(id)
    return path ? [{ name, path, isHidden }] : []
  })
  return { sheets, is1904 }
}

async function* opened(bytes: AsyncIterable<Uint8Array>) {
  for await (const said of xmlOf(bytes)) for (const one of said) if ('opens' in one) yield one
}

async function* rowsOf(workbook: Workbook, path: string): AsyncGenerator<Row> {
  const sheet = workbook.zip.get(path)
  if (!sheet) return
  const reader = new RowReader(workbook)
  for await (const said of xmlOf(sheet())) {
    for (const one of said) {
      const row = reader.read(one)
      if (row) yield row
    }
  }
}

/** Puts together the rows of a sheet from what its XML says. */
class RowReader {
  readonly #workbook: Workbook
  #line = 0
  #cells: string[] = []
  #place = -1
  #type = 'n'
  #style = 0
  #characters = 0
  readonly #text = new CellText()
  #isValue = false

  constructor(workbook: Workbook) {
    this.#workbook = workbook
  }

  read(said: Said): Row | undefined {
    if ('text' in said) {
      if (this.#isValue) this.#text.add(said.text, this.#line)
    } else if ('opens' in said) this.#open(said.opens, said.attributes)
    else return this.#close(said.closes)
    return undefined
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') {
      this.#line = Number(attributes.r ?? this.#line + 1)
      this.#cells = []
      this.#characters = 0
      this.#place = -1
    } else if (name === 'c') {
      this.#place = attributes.r ? placeOf(attributes.r) : this.#place + 1
      this.#type = attributes.t ?? 'n'
      this.#style = Number(attributes.s ?? 0)
      this.#text.take()
    }
    // A formula (f) is left aside: what it came to (v) is the value.
    this.#isValue = name === 'v' || name === 't'
  }

  #close(name: string): Row | undefined {
    this.#isValue = false
    if (name === 'row') return { line: this.#line, cells: this.#cells }
    if (name !== 'c') return undefined
    const text = this.#value()
    if (text === '') return undefined
    this.#characters += text.length
    if (this.#characters > longestRecord) throw new Unreadable(this.#line, tooLong)
    if (this.#place >= mostColumns) refuseWide(this.#place + 1, this.#line)
    while (this.#cells.length < this.#place) this.#cells.push('')
    this.#cells[this.#place] = text
    return undefined
  }

  #value(): string {
    const text = this.#text.take()
    switch (this.#type) {
      case 's':
        return this.#workbook.texts.at(Number(text))
      case 'b':
        return text === '1' ? 'TRUE' : 'FALSE'
      case 'n':
        return text === '' ? '' : this.#number(text)
      default:
        return text
    }
  }

  #number(text: string): string {
    const value = Number(text)
    const shown = this.#workbook.styles[this.#style] ?? 'number'
    if (shown === 'date') {
      return fromSerial(value, this.#workbook.is1904) ?? timeFromSerial(value) ?? text
    }
    if (typeof shown === 'object') return text.padStart(shown.zeros, '0')
    // A sheet keeps 17 digits of what it shows with 15.
    return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : text
  }
}

/** The place of a cell such as `AB12` in its row. */
function placeOf(reference: string): number {
  let place = 0
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A') {
    place = place * 26 + letter.charCodeAt(0) - 64
  }
  return place - 1
}
