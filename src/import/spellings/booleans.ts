const trues = new Set([
  'yes',
  'y',
  'true',
  't',
  'on',
  '1',
  '✓',
  '✔',
  '✔️',
  '☑',
  '☑️',
  '✅',
  'ticked',
  'checked',
])
const falses = new Set([
  'no',
  'n',
  'false',
  'f',
  'off',
  '0',
  '✗',
  '✘',
  '☐',
  '❌',
  'unticked',
  'unchecked',
])
const unknowns = new Set([
  'unknown',
  'not known',
  "don't know",
  'dont know',
  'not sure',
  'unsure',
  'maybe',
  'not stated',
  'not asked',
  'prefer not to say',
  'undisclosed',
])

/** What a cell says as yes or no; undefined where it says neither. */
export function readBoolean(cell: string): boolean | undefined {
  const word = cell.toLowerCase()
  if (trues.has(word)) return true
  return falses.has(word) ? false : undefined
}

/** Whether a cell says that it is not known whether yes or no, which is not no. */
export const isUnknown = (cell: string) => unknowns.has(cell.toLowerCase().replace('’', "'"))
