const trueWords = new Set([
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
const falseWords = new Set([
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
const unknownWords = new Set([
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
export function parseBoolean(cell: string): boolean | undefined {
  const word = cell.toLowerCase()
  if (trueWords.has(word)) return true
  return falseWords.has(word) ? false : undefined
}

/** Whether a cell says that it is not known whether yes or no, which is not no. */
export const isUnknown = (cell: string) => unknownWords.has(cell.toLowerCase().replace('’', "'"))
