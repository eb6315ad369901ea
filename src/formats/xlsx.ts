import { risky } from '../model/cell-text.ts'
import { single } from '../platform/single.ts'
import type { ArchiveFile } from './personal-data.ts'

/** A cell of a sheet. Days are `YYYY-MM-DD`, times local times `YYYY-MM-DDTHH:mm`. */
export type Cell =
  | { type: 'text' | 'day' | 'time'; text: string }
  | { type: 'number' | 'money'; value: number }

/** The rows of a sheet, besides the heading. */
export const maxSheetRows = 1_048_575

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const maxCharacters = 32_767
const maxNameCharacters = 31
/** The index of each format in `styles`. */
const formats = { text: 0, number: 0, day: 1, time: 2, money: 3, heading: 4, quoted: 5 }

export type Sheet = {
  name: string
  headings: readonly string[]
  /** The rows in pages. */
  rows: AsyncIterable<readonly (readonly Cell[])[]>
}

/**
 * Yields the files of a workbook, for a zip. Writes each page of rows before it reads the next. Texts are inline, so no
 * spreadsheet runs them as formulas; formula-like texts stay texts when somebody edits them.
 */
export async function* buildWorkbook(sheets: readonly Sheet[]): AsyncGenerator<ArchiveFile, void> {
  const files = sheets.map((_, index) => `worksheets/sheet${index + 1}.xml`)
  yield { name: '[Content_Types].xml', texts: single(listContentTypes(files)) }
  yield { name: '_rels/.rels', texts: single(relate(['officeDocument', 'xl/workbook.xml'])) }
  yield { name: 'xl/workbook.xml', texts: single(workbook(sheets.map(({ name }) => name))) }
  const relations = relate(...files.map((file) => ['worksheet', file] as const), [
    'styles',
    'styles.xml',
  ])
  yield { name: 'xl/_rels/workbook.xml.rels', texts: single(relations) }
  yield { name: 'xl/styles.xml', texts: single(styles) }
  for (const [index, { headings, rows }] of sheets.entries())
    yield { name: `xl/${files[index]}`, texts: writeSheet(headings, rows) }
}

async function* writeSheet(
  headings: readonly string[],
  rows: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<string, void> {
  const columns = headings.map((_, index) => columnName(index))
  const toRow = (cells: readonly string[]) => {
    row++
    // Some programs need the positions, which the format allows to omit.
    return `<row r="${row}">${cells.map((cell, index) => `<c r="${columns[index]}${row}" ${cell}`).join('')}</row>`
  }
  let row = 0
  const heading = toRow(headings.map((text) => inline(text, formats.heading)))
  // The heading stays in sight.
  yield `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="${Math.max(1, headings.length)}" width="20" customWidth="1"/></cols><sheetData>${heading}`
  for await (const page of rows) yield page.map((cells) => toRow(cells.map(writeCell))).join('')
  yield '</sheetData></worksheet>'
}

/** The letters of a column: A to Z, then AA. */
const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) +
  String.fromCharCode(65 + (index % 26))

/** A cell without the beginning of its element. */
function writeCell(cell: Cell): string {
  if ('value' in cell) return `s="${formats[cell.type]}"><v>${cell.value}</v></c>`
  const { type, text } = cell
  if (text === '') return '/>'
  const serial = type === 'text' ? undefined : toSerial(text)
  if (serial !== undefined) return `s="${formats[type]}"><v>${serial}</v></c>`
  return inline(text, risky.test(text) ? formats.quoted : formats.text)
}

const inline = (text: string, format: number) =>
  `t="inlineStr" s="${format}"><is><t xml:space="preserve">${escapeXml(text.slice(0, maxCharacters))}</t></is></c>`

const epoch = Date.UTC(1899, 11, 30)
const dayMs = 24 * 60 * 60 * 1000
// Excel's calendar has a 29 February 1900, so earlier days would be shown as others.
const minSerial = 61

/** Excel's number of a day or time: the days since 1900; undefined before March 1900. */
function toSerial(text: string): number | undefined {
  const serial = (Date.parse(text.length === 10 ? text : `${text}Z`) - epoch) / dayMs
  return serial >= minSerial ? serial : undefined
}

/** Escapes a text, with the characters that XML cannot have as `_x0000_`, as Excel does. */
const escapeXml = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replaceAll(/[^\t\n\x20-\ufffd]/g, (character) => `_x${code(character)}_`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

const code = (character: string) =>
  character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const schemas = 'http://schemas.openxmlformats.org'
const main = `${schemas}/spreadsheetml/2006/main`
const relationships = `${schemas}/officeDocument/2006/relationships`

/** The types of the parts. `sheets` are the files of the sheets. */
const listContentTypes = (sheets: readonly string[]) =>
  `${xml}<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${xlsxType}.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${sheets.map((file) => `<Override PartName="/xl/${file}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`).join('')}</Types>`

const styles = `${xml}<styleSheet xmlns="${main}"><numFmts count="3"><numFmt numFmtId="164" formatCode="d\\ mmm\\ yyyy"/><numFmt numFmtId="165" formatCode="d\\ mmm\\ yyyy\\ hh:mm"/><numFmt numFmtId="166" formatCode="&quot;£&quot;#,##0.00"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="6"><xf xfId="0"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/><xf xfId="0" numFmtId="165" applyNumberFormat="1"/><xf xfId="0" numFmtId="166" applyNumberFormat="1"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" quotePrefix="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

function workbook(names: readonly string[]): string {
  const sheets = nameSheets(names).map(
    (name, index) =>
      `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  )
  return `${xml}<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>${sheets.join('')}</sheets></workbook>`
}

/** The names of sheets as Excel allows them: short, without some characters, and each once. */
function nameSheets(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((name, index) => {
    const allowed = name.replaceAll(/[[\]:*?/\\]/g, ' ').trim()
    const short = allowed.slice(0, maxNameCharacters).trim()
    const number = ` ${index + 1}`
    const unique = used.has(short.toLowerCase())
      ? allowed.slice(0, maxNameCharacters - number.length) + number
      : short
    used.add(unique.toLowerCase())
    return unique
  })
}

/** The relations of a part: each a type and a target. */
function relate(...relations: readonly (readonly [type: string, target: string])[]): string {
  const elements = relations.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${relationships}/${type}" Target="${target}"/>`,
  )
  return `${xml}<Relationships xmlns="${schemas}/package/2006/relationships">${elements.join('')}</Relationships>`
}
