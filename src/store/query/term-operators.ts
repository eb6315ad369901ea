import { invalidField } from '../../model/api-error.ts'
import { foldCase } from '../../model/query/compare-texts.ts'
import { type Operator, operators } from '../../model/query/operators.ts'
import type { Comparison } from '../../model/query/predicate.ts'
import { equalTo, maxBytes, type TermRange, textAfter, textRanges } from './term-ranges.ts'

/** The operators that the index answers. `ne` is the negation of `eq`. */
export type TermOperator = Exclude<Operator, 'ne'>

/** How the index finds the values that pass an operator. */
type TermRules = {
  /** The ranges of the texts that pass; absent if the order of texts does not decide. */
  texts?: (value: string) => readonly TermRange[]
  /** The range of the numbers that pass; absent if none does. */
  numbers?: (value: number) => TermRange
  /** Whether booleans can pass: those that are equal. */
  hasBooleans?: true
  /**
   * SQL that tests a `text` with a `pattern`. Both are blobs, because functions of texts stop at a NUL
   * character. If the term is `long`, the text is only its beginning, and longer than the pattern.
   */
  term: string
  /** SQL that tests a whole long text in a document, if its beginning does not decide. */
  document?: (text: string, pattern: string) => string
}

const termOperators: Readonly<Record<TermOperator, TermRules>> = {
  eq: {
    texts: (value) => [{ low: value, high: value }],
    numbers: (value) => ({ low: value, high: value }),
    hasBooleans: true,
    term: 'NOT long AND text = pattern',
  },
  gt: {
    texts: (value) => textRanges(value, null, { isAbove: true }),
    numbers: (value) => ({ low: value, isAbove: true, high: '', isBelow: true }),
    term: 'text > pattern OR long AND text = pattern',
  },
  ge: {
    texts: (value) => textRanges(value, null, { isAbove: false }),
    numbers: (value) => ({ low: value, isAbove: false, high: '', isBelow: true }),
    term: 'text >= pattern',
  },
  lt: {
    texts: (value) => textRanges('', value, { isBelow: true }),
    numbers: (value) => ({ low: null, high: value, isBelow: true }),
    term: 'text < pattern',
  },
  le: {
    texts: (value) => textRanges('', value, { isBelow: false }),
    numbers: (value) => ({ low: null, high: value, isBelow: false }),
    term: 'text < pattern OR NOT long AND text = pattern',
  },
  contains: {
    term: 'instr(text, pattern) > 0',
    document: (text, pattern) => `instr(${text}, ${pattern}) > 0`,
  },
  startswith: {
    texts: (value) => textRanges(value, textAfter(value), { isBelow: true }),
    term: 'substr(text, 1, length(pattern)) = pattern',
  },
  endswith: {
    term: 'NOT long AND substr(text, -length(pattern)) = pattern',
    document: (text, pattern) => `substr(${text}, -length(${pattern})) = ${pattern}`,
  },
}

const termRules = operators.flatMap((name) =>
  name === 'ne' ? [] : [{ name, ...termOperators[name] }],
)
const rulesOfDocuments = termRules.flatMap(({ name, document }) =>
  document ? [{ name, document }] : [],
)

/** SQL that tests a term by the operator in the column `operator`. */
export const testTerm = `CASE operator
  ${termRules.map(({ name, term }) => `WHEN '${name}' THEN ${term}`).join('\n  ')}
  WHEN 'undecided' THEN false
  ELSE true END`

/** SQL for the operators that only documents decide for long texts. */
export const undecidedOperators = [...rulesOfDocuments.map(({ name }) => name), 'undecided']
  .map((name) => `'${name}'`)
  .join(', ')

/** SQL that tests a long text in a document by an operator; `otherwise` for operators that the index decides. */
export const testDocument = (
  operator: string,
  text: string,
  pattern: string,
  otherwise: string,
): string => `CASE ${operator}
  ${rulesOfDocuments.map((rule) => `WHEN '${rule.name}' THEN ${rule.document(text, pattern)}`).join('\n  ')}
  ELSE ${otherwise} END`

/** Whether only documents decide the operator for long texts. */
export const needsDocument = (operator: TermOperator) =>
  termOperators[operator].document !== undefined

/** The ranges of the terms that pass a comparison, in order. Throws 400 for a text over 256 bytes. */
export function toRanges(
  comparison: Comparison & { operator: TermOperator },
): readonly TermRange[] {
  const { operator, value, ignoresCase = false } = comparison
  const { texts, numbers, hasBooleans } = termOperators[operator]
  if (value === null) return []
  if (typeof value === 'boolean') return hasBooleans ? [equalTo(value)] : []
  if (typeof value === 'number') return numbers ? [numbers(value)] : []
  if (new TextEncoder().encode(value).length > maxBytes)
    throw invalidField('$filter', 'too_long', `can compare with at most ${maxBytes} bytes of text.`)
  if (texts && (!ignoresCase || value === '')) return texts(value)
  const pattern = ignoresCase ? foldCase(value) : value
  // An empty text passes every test that the order of texts does not decide.
  return textRanges('', null, value === '' ? {} : { test: { operator, pattern, ignoresCase } })
}
