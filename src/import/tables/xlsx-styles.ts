import { Unreadable } from '../read.ts'
import { xmlOf } from './xml.ts'

/** How a workbook shows a number: as it is, as a date or a time, or with zeros before it up to a length. */
export type Shown = 'number' | 'date' | { zeros: number }

const maxStyles = 65_536

/** How each style of a workbook's cells shows a number, by the style's number (`styles.xml`). */
export async function stylesOf(bytes: AsyncIterable<Uint8Array>): Promise<Shown[]> {
  const formats = new Map<number, Shown>()
  const styles: Shown[] = []
  let inCells = false
  for await (const said of xmlOf(bytes)) {
    for (const one of said) {
      if ('closes' in one && one.closes === 'cellXfs') inCells = false
      if (!('opens' in one)) continue
      const { opens, attributes } = one
      if (opens === 'numFmt') {
        formats.set(Number(attributes.numFmtId), shownBy(attributes.formatCode ?? ''))
      }
      if (opens === 'cellXfs') inCells = true
      if (opens === 'xf' && inCells) {
        const id = Number(attributes.numFmtId)
        styles.push(formats.get(id) ?? builtIn(id))
      }
      if (styles.length > maxStyles || formats.size > maxStyles) {
        throw new Unreadable(
          0,
          `has more than ${maxStyles.toLocaleString('en-GB')} styles of cells.`,
        )
      }
    }
  }
  return styles
}

/** The formats that are not written into a workbook (ECMA-376, 18.8.30): of these, which are dates and times. */
const builtIn = (id: number): Shown =>
  (id >= 14 && id <= 22) ||
  (id >= 27 && id <= 36) ||
  (id >= 45 && id <= 47) ||
  (id >= 50 && id <= 58)
    ? 'date'
    : 'number'

function shownBy(code: string): Shown {
  if (/^0{2,20}$/.test(code)) return { zeros: code.length }
  const bare = code.replaceAll(/"[^"]*"|\\.|\[(?:\$|[a-z]+\d*\])[^\]]*\]?/gi, '')
  return /[dmyhs]/i.test(bare.replaceAll(/general|red|blue|green/gi, '')) ? 'date' : 'number'
}
