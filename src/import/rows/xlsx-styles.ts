import { formatNumber } from '../../platform/format-number.ts'
import { UnreadableFileError } from '../source/source.ts'
import { parseXml } from './xml.ts'

/** A workbook's display of a number: unchanged, as a date or time, or with leading zeros up to a length. */
export type NumberFormat = 'number' | 'date' | { zeros: number }

const maxStyles = 65_536

/** Reads the number format of each cell style from `styles.xml`, by the style's index. */
export async function readStyles(bytes: AsyncIterable<Uint8Array>): Promise<NumberFormat[]> {
  const formats = new Map<number, NumberFormat>()
  const styles: NumberFormat[] = []
  let isInCellFormats = false
  for await (const events of parseXml(bytes)) {
    for (const event of events) {
      if ('closes' in event && event.closes === 'cellXfs') isInCellFormats = false
      if (!('opens' in event)) continue
      const { opens, attributes } = event
      if (opens === 'numFmt') {
        formats.set(Number(attributes.numFmtId), parseFormat(attributes.formatCode ?? ''))
      }
      if (opens === 'cellXfs') isInCellFormats = true
      if (opens === 'xf' && isInCellFormats) {
        const id = Number(attributes.numFmtId)
        styles.push(formats.get(id) ?? builtInFormat(id))
      }
      if (styles.length > maxStyles || formats.size > maxStyles) {
        throw new UnreadableFileError(
          0,
          `has more than ${formatNumber(maxStyles)} styles of cells.`,
        )
      }
    }
  }
  return styles
}

/** A built-in format (ECMA-376, 18.8.30). Workbooks do not define these formats themselves. */
const builtInFormat = (id: number): NumberFormat =>
  (id >= 14 && id <= 22) ||
  (id >= 27 && id <= 36) ||
  (id >= 45 && id <= 47) ||
  (id >= 50 && id <= 58)
    ? 'date'
    : 'number'

function parseFormat(code: string): NumberFormat {
  if (/^0{2,20}$/.test(code)) return { zeros: code.length }
  const withoutLiterals = code.replaceAll(/"[^"]*"|\\.|\[(?:\$|[a-z]+\d*\])[^\]]*\]?/gi, '')
  return /[dmyhs]/i.test(withoutLiterals.replaceAll(/general|red|blue|green/gi, ''))
    ? 'date'
    : 'number'
}
