import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { openTable } from '../../../src/import/rows/open-table.ts'
import type { Source } from '../../../src/import/source/source.ts'

/** A file to import of these bytes or this text, which comes in small pieces. */
export function fileOf(content: string | Uint8Array, name = 'members.csv', piece = 7): Source {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return {
    name,
    size: bytes.length,
    async *bytes() {
      for (let at = 0; at < bytes.length; at += piece) yield bytes.slice(at, at + piece)
    },
  }
}

/** A file that is never whole in memory: a beginning, and then the same text again and again. */
export function endlessFile(start: string, again: string, times: number): Source {
  const encoder = new TextEncoder()
  const chunk = encoder.encode(again)
  return {
    name: 'members.csv',
    size: start.length + again.length * times,
    async *bytes() {
      yield encoder.encode(start)
      for (let time = 0; time < times; time++) yield chunk
    },
  }
}

/** The format, headings and rows of a file. */
export async function read(source: Source, sheet?: string) {
  const table = await openTable(source, sheet)
  const rows = await Array.fromAsync(table.rows())
  return { ...table, rows: rows.map(({ line, cells }) => [line, ...cells]) }
}

/** A workbook of these sheets, each the XML of its rows; texts and styles are those of every test. */
export async function workbook(sheets: Record<string, string>, more: Record<string, string> = {}) {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  const names = Object.keys(sheets)
  const files: Record<string, string> = {
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns:r="r"><sheets>${names
      .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names
      .map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`)
      .join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst><si><t>Name</t></si><si><r><t>Ann</t></r><r><t xml:space="preserve"> Abara</t></r><rPh><t>x</t></rPh></si><si><t>Born</t></si></sst>`,
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="00000000000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  }
  for (const [name, text] of Object.entries(files)) await zip.add(name, new TextReader(text))
  return zip.close()
}
