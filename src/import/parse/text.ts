/** Whether a cell is empty or a marker such as a dash, `N/A` or `null`. "None" and "unknown" may be answers. */
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

/** Whether a cell holds a spreadsheet error such as `#REF!`. */
export const isSpreadsheetError = (cell: string) =>
  /^#(?:REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|#+)$/.test(cell)

/** Whether a text looks like one email address. The field's own rules validate it. */
export const looksLikeEmail = (cell: string) =>
  /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>.]{2,}$/.test(cell)

export function looksLikePhone(cell: string): boolean {
  if (!/^[+(\d][\d\s()+./-]{5,}(?: ?(?:x|ext\.?|extension) ?\d{1,6})?$/i.test(cell)) return false
  const digits = cell.replaceAll(/\D/g, '').length
  return digits >= 6 && digits <= 20
}

/** The parts of a name such as "SMITH, Jane"; undefined for any other text. */
export function parseSurnameFirst(cell: string): { first: string; last: string } | undefined {
  const [last = '', first = '', ...others] = cell.split(',').map((part) => part.trim())
  const isName = [last, first].every((part) => /^\p{L}[\p{L}\p{M}'’. -]*$/u.test(part))
  return isName && others.length === 0 && !nameSuffix.test(first) ? { first, last } : undefined
}

const nameSuffix = /^(?:jr|sr|junior|senior|ii|iii|iv|phd|obe|mbe|cbe|esq)\.?$/i

/** Whether a text looks like a British postcode, in any case and spacing. */
export const looksLikePostcode = (cell: string) =>
  /^[A-Z]{1,2}\d[A-Z\d]? *\d[A-Z]{2}$/i.test(cell) || /^GIR ?0AA$/i.test(cell)

/** Folds a text for comparison: ignores case, accents, extra spaces and the shape of apostrophes. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[łøđ]/g, (letter) => baseLetters[letter] ?? letter)
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim()

// Letters that Unicode normalisation does not decompose.
const baseLetters: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd' }

/** Normalises a value for a key: ignores case and extra spaces. */
export const normaliseKey = (cell: string) => cell.trim().replaceAll(/\s+/g, ' ').toLowerCase()
