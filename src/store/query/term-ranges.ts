import { compareCodePoints } from '../../model/query/compare-texts.ts'
import type { FieldFunction } from '../../model/query/field-functions.ts'
import type { Operator } from '../../model/query/operators.ts'
import type { Scalar } from '../../model/query/predicate.ts'

/**
 * A value as the index stores it: booleans, and the first 256 bytes of longer texts, are blobs, here
 * as hexadecimal.
 */
export type IndexValue = string | number | { hex: string }

/** A test of the texts in a range, or of the results of a function for them. `undecided` fails for all: only documents decide. */
type TextTest = {
  operator: Operator | 'undecided'
  pattern: Scalar
  fieldFunction?: FieldFunction | undefined
}

export const undecided: TextTest = { operator: 'undecided', pattern: '' }

/** A test of texts over 256 bytes in documents: by an operator with one pattern, or by `in` whether a text is one of the patterns. */
export type LongTest = {
  operator: Operator | 'in'
  patterns: readonly Scalar[]
  fieldFunction?: FieldFunction | undefined
}

/** The terms of a field from one value up to another, in the order of the index. An end of null is open. */
export type TermRange = {
  low: IndexValue | null
  high: IndexValue | null
  /** Whether the range excludes `low`. */
  isAbove?: boolean
  /** Whether the range excludes `high`. */
  isBelow?: boolean
  /** Whether the range is of blobs of long texts, so that it excludes booleans. */
  isLong?: boolean
  test?: TextTest
}

/** The range of all terms of a field. */
export const anyValue: TermRange = { low: null, high: null }

/** The number of bytes of a text that the index stores. */
export const maxBytes = 256

/** The range of one value. Only the document decides whether a text over 256 bytes is equal. */
export function equalTo(value: Scalar): TermRange {
  if (typeof value === 'boolean') return equalToBoolean(value)
  const bytes = new TextEncoder().encode(String(value))
  if (typeof value === 'number' || bytes.length <= maxBytes) return { low: value, high: value }
  const beginning = { hex: toHex(bytes.subarray(0, maxBytes)) }
  return { low: beginning, high: beginning, isLong: true, test: undecided }
}

const equalToBoolean = (value: boolean): TermRange => {
  const blob = { hex: value ? '01' : '00' }
  return { low: blob, high: blob }
}

/**
 * The ranges of short texts and of long ones. The first 256 bytes of a long text decide on
 * which side of a shorter text it is.
 */
export const textRanges = (
  low: string,
  high: string | null,
  more: Partial<TermRange>,
): TermRange[] => [
  { ...more, low, high: high ?? { hex: '' }, isBelow: more.isBelow || high === null },
  {
    ...more,
    low: toBlob(low),
    high: high === null ? null : toBlob(high),
    isAbove: false,
    isBelow: high !== null,
    isLong: true,
  },
]

/** The least text after all texts with this beginning; null if no text is greater. */
export function textAfter(text: string): string | null {
  const points = [...text].map((character) => character.codePointAt(0) ?? 0)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    // The code points from U+D800 to U+DFFF are no characters.
    if (last < 0x10ffff) return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
  }
  return null
}

/** The range of the terms in both ranges, if any. */
export function intersectRanges(one: TermRange, other: TermRange): TermRange[] {
  const lowOrder = compareEnds(one.low, other.low, -1)
  const highOrder = compareEnds(one.high, other.high, 1)
  const low = lowOrder < 0 ? other.low : one.low
  const high = highOrder > 0 ? other.high : one.high
  const isAbove =
    (lowOrder >= 0 && one.isAbove === true) || (lowOrder <= 0 && other.isAbove === true)
  const isBelow =
    (highOrder <= 0 && one.isBelow === true) || (highOrder >= 0 && other.isBelow === true)
  const width = low === null || high === null ? 1 : compareEnds(high, low, 0)
  if (width < 0 || (width === 0 && (isAbove || isBelow))) return []
  return [{ low, high, isAbove, isBelow, isLong: one.isLong === true || other.isLong === true }]
}

/** Compares like the index: numbers, then texts by code point, then blobs. An open end is below all values if `open` is -1, above if it is 1. */
function compareEnds(one: TermRange['low'], other: TermRange['low'], open: number): number {
  if (one === null || other === null) {
    if (one === other) return 0
    return one === null ? open : -open
  }
  const rank = (end: IndexValue) => ['number', 'string', 'object'].indexOf(typeof end)
  if (rank(one) !== rank(other)) return rank(one) - rank(other)
  if (typeof one === 'number') return one - Number(other)
  const textOf = (end: IndexValue) => (typeof end === 'object' ? end.hex : String(end))
  return compareCodePoints(textOf(one), textOf(other))
}

/** A value as in documents, of a text over 256 bytes the beginning. */
export function toScalar(value: IndexValue): Scalar {
  if (typeof value !== 'object') return value
  if (value.hex.length === 2) return value.hex === '01'
  const bytes = value.hex.match(/../g)?.map((digits) => Number.parseInt(digits, 16)) ?? []
  return decodeBeginning(Uint8Array.from(bytes))
}

/** A text, or the beginning of one over 256 bytes, as `toScalar` returns it. */
export function cutText(text: string): string {
  // Of a shorter text, no encoding has more bytes.
  if (3 * text.length <= maxBytes) return text
  const bytes = new TextEncoder().encode(text)
  return bytes.length <= maxBytes ? text : decodeBeginning(bytes.subarray(0, maxBytes))
}

/** The text in some bytes, without a character that is cut at their end. */
const decodeBeginning = (bytes: Uint8Array) => new TextDecoder().decode(bytes, { stream: true })

export const toBlob = (text: string) => ({ hex: toHex(new TextEncoder().encode(text)) })

const toHex = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('')
