/*
 * How a value is spelt in a cell of a CSV file, for those who write one and for those who read it.
 */

// What OWASP's "CSV Injection" names, also where only quotes stand before it; and nothing at all,
// so that a lone quote is an empty text, where an empty cell has no value.
const risky = /^'*(?:[=+\-@\t\r\n\0＝＋－＠]|$)/

/** A text as a cell that no spreadsheet takes for a formula: a `'` comes before what might be one. */
export const escapeFormula = (text: string) => (risky.test(text) ? `'${text}` : text)

/** The text of a cell that may be guarded. */
export const unescapeFormula = (cell: string) =>
  cell.startsWith("'") && risky.test(cell) ? cell.slice(1) : cell

/** A list of texts joined by `;`, or as JSON text where these could not be told apart again. */
export function joinList(list: readonly string[]): string {
  const plain = list.every((text) => text !== '' && text === text.trim() && !text.includes(';'))
  return plain && !list[0]?.startsWith('[') ? list.join(';') : JSON.stringify(list)
}

/** The texts of a list that is joined by `;`, with spaces around them or without, or is JSON text. */
export function splitList(cell: string): string[] {
  const whole = cell.startsWith('[') ? parsedTexts(cell) : undefined
  if (whole) return whole
  return cell
    .split(';')
    .map((text) => text.trim())
    .filter(Boolean)
}

function parsedTexts(json: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) && list.every((text) => typeof text === 'string') ? list : undefined
  } catch {
    return undefined
  }
}
