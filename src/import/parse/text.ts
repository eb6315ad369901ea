/** Whether a cell says that there is no value: empty, a dash, `N/A`, `null`. "None" and "unknown" may be answers. */
export const isEmptyCell = (cell: string) => cell === '' || emptyWords.has(cell.toLowerCase())

const emptyWords = new Set([
  '-',
  '–',
  '—',
  '--',
  '---',
  'n/a',
  '#n/a',
  '(n/a)',
  'null',
  '(blank)',
  '.',
])

/** Whether a cell holds what a spreadsheet shows where it could not work a value out. */
export const isSpreadsheetError = (cell: string) =>
  /^#(?:REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|#+)$/.test(cell)

/** Whether a text looks like one email address. The rules for a field decide whether it is valid. */
export const looksLikeEmail = (cell: string) =>
  /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>.]{2,}$/.test(cell)

/** Whether a text looks like a telephone number. */
export function looksLikePhone(cell: string): boolean {
  if (!/^[+(\d][\d\s()+./-]{5,}(?: ?(?:x|ext\.?|extension) ?\d{1,6})?$/i.test(cell)) return false
  const digits = cell.replaceAll(/\D/g, '').length
  return digits >= 6 && digits <= 20
}

/** Whether a text looks like a British postcode, in any case and spacing. */
export const looksLikePostcode = (cell: string) =>
  /^[A-Z]{1,2}\d[A-Z\d]? *\d[A-Z]{2}$/i.test(cell) || /^GIR ?0AA$/i.test(cell)

/** A text as it counts where it is compared with another: case, accents, spaces and the shape of its apostrophes do not. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[łøđ]/g, (letter) => baseLetters[letter] ?? letter)
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim()

// Letters that Unicode does not take apart.
const baseLetters: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd' }

/** A value as it counts in a key: case and spaces do not. */
export const normaliseKey = (cell: string) => cell.trim().replaceAll(/\s+/g, ' ').toLowerCase()
