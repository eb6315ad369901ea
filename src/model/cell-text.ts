/*
 * Writes and reads values in the cells of CSV files, also after a spreadsheet has changed them.
 */

// Matches empty text too: a cell with a single quote is empty text, and an empty cell has no value.
/** Matches a text that a spreadsheet might run as a formula: the characters in OWASP's "CSV Injection", also after quotes. */
export const risky = /^'*(?:[=+\-@\t\r\n\0＝＋－＠]|$)/

/** A text as a cell, with a `'` in front if a spreadsheet might run it as a formula. */
export const escapeFormula = (text: string) => (risky.test(text) ? `'${text}` : text)

export const unescapeFormula = (cell: string) =>
  cell.startsWith("'") && risky.test(cell) ? cell.slice(1) : cell

/** A list of texts joined by `;`, or as JSON if that would be ambiguous. */
export function joinList(list: readonly string[]): string {
  const plain = list.every((text) => text !== '' && text === text.trim() && !text.includes(';'))
  return plain && !list[0]?.startsWith('[') ? list.join(';') : JSON.stringify(list)
}

/** Parses a list that is joined by `;` or written as JSON. */
export function splitList(cell: string): string[] {
  const jsonList = cell.startsWith('[') ? parseJsonList(cell) : undefined
  if (jsonList) return jsonList
  return cell
    .split(';')
    .map((text) => text.trim())
    .filter(Boolean)
}

function parseJsonList(json: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) && list.every((text) => typeof text === 'string') ? list : undefined
  } catch {
    return undefined
  }
}

/** Whether a spreadsheet has shortened a long number and lost its digits, as in 4.47701E+11. */
export const hasLostDigits = (cell: string) => /^-?\d(?:[.,]\d+)?E\+\d{1,3}$/i.test(cell)

/** Whether a text looks like a British phone number without its 0, as a spreadsheet stores it as a number. */
export const hasLostZero = (cell: string) => /^[1-37]\d{8,9}$/.test(cell)
