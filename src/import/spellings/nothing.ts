/** Whether a cell says that there is no value: empty, a dash, `N/A`, `null`. "None" and "unknown" may be answers. */
export const isNothing = (cell: string) => cell === '' || nothings.has(cell.toLowerCase())

const nothings = new Set([
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
