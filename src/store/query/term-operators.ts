import { invalidField } from '../../model/api-error.ts'
import { fieldFunctions } from '../../model/query/field-functions.ts'
import { isNegation, type Negation, type Operator, operators } from '../../model/query/operators.ts'
import type { Comparison } from '../../model/query/predicate.ts'
import { isByCharacter } from './term-functions.ts'
import {
  equalTo,
  type LongTest,
  maxBytes,
  type TermRange,
  textAfter,
  textRanges,
  undecided,
} from './term-ranges.ts'

/*
 * How the index finds the records that pass an operator of `$filter`. The terms of a field are in the order
 * of their values: numbers, texts, then blobs, which are booleans and the first 256 bytes of longer texts.
 * - `name ge 'M'` is a range of terms: the texts from 'M' on, and the long texts from the same bytes on.
 * - `contains(name, 'M')` reads all texts of the field and tests each in SQL. The beginning of a long text
 *   does not decide, so the query reads the document.
 */

/** The operators that the index answers. */
export type TermOperator = Exclude<Operator, Negation>

/** How the index finds the values that pass an operator. */
type TermRules = {
  /** The ranges of the texts that pass; absent if the order of texts does not decide. */
  texts?: (value: string) => readonly TermRange[]
  /** The range of the numbers that pass; absent if none does. */
  numbers?: (value: number) => TermRange
  /** Whether equal booleans pass; others never do. */
  hasBooleans?: true
  /**
   * SQL that tests a text, or the result of a function, with the compared value. Both are blobs. `isBeginning` is SQL
   * that is true if `text` is only the beginning of a long text, which is longer than any compared value.
   */
  test: (text: string, pattern: string, isBeginning: string) => string
  /** Whether the beginning of a long text does not decide, so that its document does. */
  needsDocument?: true
}

/** The least text. All numbers are before it. */
const firstText = ''

const termOperators: Readonly<Record<TermOperator, TermRules>> = {
  eq: {
    texts: (value) => [{ low: value, high: value }],
    numbers: (value) => ({ low: value, high: value }),
    hasBooleans: true,
    test: (text, pattern, isBeginning) => `NOT ${isBeginning} AND ${text} = ${pattern}`,
  },
  gt: {
    texts: (value) => textRanges(value, null, { isAbove: true }),
    numbers: (value) => ({ low: value, isAbove: true, high: firstText, isBelow: true }),
    test: (text, pattern, isBeginning) =>
      `${text} > ${pattern} OR ${isBeginning} AND ${text} = ${pattern}`,
  },
  ge: {
    texts: (value) => textRanges(value, null, { isAbove: false }),
    numbers: (value) => ({ low: value, isAbove: false, high: firstText, isBelow: true }),
    test: (text, pattern) => `${text} >= ${pattern}`,
  },
  lt: {
    texts: (value) => textRanges(firstText, value, { isBelow: true }),
    numbers: (value) => ({ low: null, high: value, isBelow: true }),
    test: (text, pattern) => `${text} < ${pattern}`,
  },
  le: {
    texts: (value) => textRanges(firstText, value, { isBelow: false }),
    numbers: (value) => ({ low: null, high: value, isBelow: false }),
    test: (text, pattern, isBeginning) =>
      `${text} < ${pattern} OR NOT ${isBeginning} AND ${text} = ${pattern}`,
  },
  contains: {
    test: (text, pattern) => `instr(${text}, ${pattern}) > 0`,
    needsDocument: true,
  },
  startswith: {
    texts: (value) => textRanges(value, textAfter(value), { isBelow: true }),
    test: (text, pattern) => `substr(${text}, 1, length(${pattern})) = ${pattern}`,
  },
  endswith: {
    test: (text, pattern, isBeginning) =>
      `NOT ${isBeginning} AND substr(${text}, -length(${pattern})) = ${pattern}`,
    needsDocument: true,
  },
}

const termOperatorNames = operators.filter((name) => !isNegation(name))

/** SQL that tests a text by the operator that a column names, or `otherwise` if it names none of these. */
export const testText = (
  nameColumn: string,
  { text, pattern, isBeginning }: { text: string; pattern: string; isBeginning: string },
  otherwise: string,
): string => `CASE ${nameColumn}
  ${termOperatorNames.map((name) => `WHEN '${name}' THEN ${termOperators[name].test(text, pattern, isBeginning)}`).join('\n  ')}
  ELSE ${otherwise} END`

/** SQL for the list of operators that need the document of a long text. */
export const undecidedOperators = [
  ...termOperatorNames.filter((name) => termOperators[name].needsDocument),
  'undecided',
]
  .map((name) => `'${name}'`)
  .join(', ')

type TermComparison = Comparison & { operator: TermOperator }

/** The ranges of the terms that pass a comparison, in order, and the test of long texts. Throws 400 for a text over 256 bytes. */
export function toRanges(comparison: TermComparison): {
  ranges: readonly TermRange[]
  longTest?: LongTest
} {
  const { operator, value, fieldFunction } = comparison
  const { texts, numbers, hasBooleans } = termOperators[operator]
  if (value === null) return { ranges: [] }
  if (typeof value === 'boolean') return { ranges: hasBooleans ? [equalTo(value)] : [] }
  if (typeof value === 'number') return { ranges: numbers ? [numbers(value)] : [] }
  if (new TextEncoder().encode(value).length > maxBytes)
    throw invalidField('$filter', 'too_long', `can compare with at most ${maxBytes} bytes of text.`)
  // A function of single characters returns an empty text only for an empty text.
  const comparesTerms = !fieldFunction || (value === '' && isByCharacter(fieldFunction))
  if (texts && comparesTerms) return { ranges: texts(value) }
  // Every text contains the empty text and ends with it.
  if (value === '' && comparesTerms) return { ranges: textRanges(firstText, null, {}) }
  return testTexts(comparison, fieldFunction ? fieldFunctions[fieldFunction].apply(value) : value)
}

/** The ranges of all texts of a field, each with a test. */
function testTexts(
  { operator, fieldFunction }: TermComparison,
  pattern: string,
): { ranges: readonly TermRange[]; longTest?: LongTest } {
  // The beginning of a long text says nothing about the result of such a function.
  const isUndecided = fieldFunction !== undefined && !isByCharacter(fieldFunction)
  const ranges = textRanges(firstText, null, { test: { operator, pattern, fieldFunction } })
  if (!isUndecided && !termOperators[operator].needsDocument) return { ranges }
  const longTest = { operator, patterns: [pattern], fieldFunction }
  if (!isUndecided) return { ranges, longTest }
  return {
    ranges: ranges.map((range) => (range.isLong ? { ...range, test: undecided } : range)),
    longTest,
  }
}
