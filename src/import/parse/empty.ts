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
