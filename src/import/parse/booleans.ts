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

/** Parses yes or no; returns undefined for anything else. */
export function parseBoolean(cell: string): boolean | undefined {
  const word = cell.toLowerCase()
  if (trueWords.has(word)) return true
  return falseWords.has(word) ? false : undefined
}

/** Whether a cell says that the answer is unknown, as opposed to no. */
export const isUnknown = (cell: string) => unknownWords.has(cell.toLowerCase().replace('’', "'"))
