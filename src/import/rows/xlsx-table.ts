import { formatNumber } from '../../platform/format-number.ts'
import { parseSerialDate, parseSerialTime } from '../parse/dates.ts'
import {
  maxRecordCharacters,
  recordTooLong,
  type Source,
  UnreadableFileError,
} from '../source/source.ts'
import { findHeadingRow, sampleRows, toHeadings } from './headings.ts'
import { maxColumns, rejectWideRow, type SourceRow, type SourceTable } from './table.ts'
import { type NumberFormat, readStyles } from './xlsx-styles.ts'
import { CellText, readSharedTexts, SharedTexts } from './xlsx-texts.ts'
import { parseXml, type XmlEvent } from './xml.ts'
import { openZip, type Zip } from './zip.ts'

type Workbook = {
  zip: Zip
  texts: SharedTexts
  styles: NumberFormat[]
  is1904: boolean
}

/** Opens a sheet of an Excel workbook as a table: the named sheet, or else the first visible one. */
export async function openXlsxTable(source: Source, sheet?: string): Promise<SourceTable> {
  const zip = await openZip(source)
  const { sheets, is1904 } = await readSheets(zip)
  const names = sheets.map(({ name }) => name)
  const sheetName = sheet?.trim().toLowerCase()
  const selectedSheet =
    sheetName === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : sheets.find(({ name }) => name.toLowerCase() === sheetName)
  if (!selectedSheet)
    throw new UnreadableFileError(
      0,
      `has no sheet ${sheet ?? ''}; its sheets: ${names.join(', ')}.`,
    )
  const texts = zip.get('xl/sharedStrings.xml')
  const styles = zip.get('xl/styles.xml')
  const workbook: Workbook = {
    zip,
    texts: texts ? await readSharedTexts(texts()) : new SharedTexts(),
    styles: styles ? await readStyles(styles()) : [],
    is1904,
  }
  const firstRows: SourceRow[] = []
  let characters = 0
  for await (const row of readSheetRows(workbook, selectedSheet.path)) {
    if (row.cells.some((cell) => cell.trim() !== '')) firstRows.push(row)
    characters += countCharacters(row)
    if (firstRows.length === sampleRows || characters > maxSampleCharacters) break
  }
  const heading = findHeadingRow(firstRows)
  return {
    format: { kind: 'xlsx', sheet: selectedSheet.name, sheets: names },
    headings: toHeadings(heading.cells),
    headingLine: heading.line,
    async *rows() {
      for await (const row of readSheetRows(workbook, selectedSheet.path)) {
        if (row.line > heading.line && row.cells.some((cell) => cell.trim() !== '')) yield row
      }
    },
  }
}

const maxSampleCharacters = 1_000_000
const countCharacters = ({ cells }: SourceRow) => cells.reduce((sum, cell) => sum + cell.length, 0)

type Sheet = { name: string; path: string; isHidden: boolean }

const maxSheets = 1000
const maxNameCharacters = 255

async function readSheets(zip: Zip): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const workbookPart = zip.get('xl/workbook.xml')
  const relationshipsPart = zip.get('xl/_rels/workbook.xml.rels')
  if (!workbookPart || !relationshipsPart)
    throw new UnreadableFileError(0, 'is a zip, but no Excel workbook (.xlsx).')
  const listedSheets: { name: string; id: string; isHidden: boolean }[] = []
  let is1904 = false
  for await (const { opens, attributes } of readOpenTags(workbookPart())) {
    if (opens === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '')
    if (opens !== 'sheet') continue
    const { name = '', id = '', state = 'visible' } = attributes
    if (listedSheets.length === maxSheets) {
      throw new UnreadableFileError(0, `has more than ${formatNumber(maxSheets)} sheets.`)
    }
    if (name.length + id.length > maxNameCharacters) {
      throw new UnreadableFileError(
        0,
        `has a sheet with a name of more than ${maxNameCharacters} characters.`,
      )
    }
    listedSheets.push({ name, id, isHidden: state !== 'visible' })
  }
  const paths = new Map(listedSheets.map(({ id }) => [id, '']))
  for await (const { opens, attributes } of readOpenTags(relationshipsPart())) {
    if (opens !== 'Relationship' || !paths.has(attributes.Id ?? '')) continue
    const target = (attributes.Target ?? '').replace(/^\/?(?:xl\/)?/, 'xl/')
    if (zip.has(target)) paths.set(attributes.Id ?? '', target)
  }
  const sheets = listedSheets.flatMap(({ name, id, isHidden }) => {
    const path = paths.get(id)
    return path ? [{ name, path, isHidden }] : []
  })
  return { sheets, is1904 }
}

async function* readOpenTags(bytes: AsyncIterable<Uint8Array>) {
  for await (const events of parseXml(bytes))
    for (const tag of events) if ('opens' in tag) yield tag
}

async function* readSheetRows(workbook: Workbook, path: string): AsyncGenerator<SourceRow> {
  const sheet = workbook.zip.get(path)
  if (!sheet) return
  const reader = new RowReader(workbook)
  for await (const events of parseXml(sheet())) {
    for (const event of events) {
      const row = reader.handle(event)
      if (row) yield row
    }
  }
}

/** A builder of sheet rows from XML events. */
class RowReader {
  readonly #workbook: Workbook
  #line = 0
  #cells: string[] = []
  #columnIndex = -1
  #type = 'n'
  #style = 0
  #characters = 0
  readonly #text = new CellText()
  #isValue = false

  constructor(workbook: Workbook) {
    this.#workbook = workbook
  }

  handle(event: XmlEvent): SourceRow | undefined {
    if ('text' in event) {
      if (this.#isValue) this.#text.add(event.text, this.#line)
    } else if ('opens' in event) this.#openTag(event.opens, event.attributes)
    else return this.#closeTag(event.closes)
    return undefined
  }

  #openTag(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') {
      this.#line = Number(attributes.r ?? this.#line + 1)
      this.#cells = []
      this.#characters = 0
      this.#columnIndex = -1
    } else if (name === 'c') {
      this.#columnIndex = attributes.r ? parseColumnIndex(attributes.r) : this.#columnIndex + 1
      this.#type = attributes.t ?? 'n'
      this.#style = Number(attributes.s ?? 0)
      this.#text.take()
    }
    // Ignores formulas (f): their result is in v.
    this.#isValue = name === 'v' || name === 't'
  }

  #closeTag(name: string): SourceRow | undefined {
    this.#isValue = false
    if (name === 'row') return { line: this.#line, cells: this.#cells }
    if (name !== 'c') return undefined
    const text = this.#cellValue()
    if (text === '') return undefined
    this.#characters += text.length
    if (this.#characters > maxRecordCharacters)
      throw new UnreadableFileError(this.#line, recordTooLong)
    if (this.#columnIndex >= maxColumns) rejectWideRow(this.#columnIndex + 1, this.#line)
    while (this.#cells.length < this.#columnIndex) this.#cells.push('')
    this.#cells[this.#columnIndex] = text
    return undefined
  }

  #cellValue(): string {
    const text = this.#text.take()
    switch (this.#type) {
      case 's':
        return this.#workbook.texts.at(Number(text))
      case 'b':
        return text === '1' ? 'TRUE' : 'FALSE'
      case 'n':
        return text === '' ? '' : this.#formatNumber(text)
      default:
        return text
    }
  }

  #formatNumber(text: string): string {
    const value = Number(text)
    const format = this.#workbook.styles[this.#style] ?? 'number'
    if (format === 'date') {
      return parseSerialDate(value, this.#workbook.is1904) ?? parseSerialTime(value) ?? text
    }
    if (typeof format === 'object') return text.padStart(format.zeros, '0')
    // Excel stores 17 digits but shows 15.
    return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : text
  }
}

/** The column index of a cell reference such as `AB12`. */
function parseColumnIndex(reference: string): number {
  let columnNumber = 0
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A') {
    columnNumber = columnNumber * 26 + letter.charCodeAt(0) - 64
  }
  return columnNumber - 1
}
