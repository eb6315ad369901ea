import { type SQL, sql } from 'drizzle-orm/sql'
import { compareCodePoints } from '../../model/query/compare-texts.ts'
import { indexValue } from './sort-keys.ts'
import { type IndexValue, type TermRange, toBlob } from './term-ranges.ts'

/*
 * The index has numbers, texts and blobs in this order, and a long text is a blob, but orders have it among
 * the texts by its beginning. So a walk reads numbers and texts, long texts and booleans each in the order of
 * the index, and merges them.
 */

type ValueKind = 'text' | 'long' | 'boolean'

/** The first and the last possible value of each kind, and its condition within these. */
const kinds: Readonly<Record<ValueKind, { first: SQL; last: SQL; condition: SQL }>> = {
  text: { first: sql`-9e999`, last: sql`x''`, condition: sql`value < x''` },
  long: { first: sql`x''`, last: sql`x'FF'`, condition: sql`length(value) > 1` },
  boolean: { first: sql`x'00'`, last: sql`x'01'`, condition: sql`length(value) = 1` },
}

/** A part of a walk: its bounds in the index, and a further condition. */
type WalkPart = { from: SQL[]; upTo: SQL[]; condition: SQL }

/** The parts of a range, from a block of a key on. */
export function listParts(
  range: TermRange,
  start: { key: IndexValue; block: number } | undefined,
  isDescending: boolean,
): WalkPart[] {
  return kindsIn(range).flatMap((kind): WalkPart[] => {
    const { first, last, condition } = kinds[kind]
    const part = { from: [first], upTo: [last], condition }
    if (!start) return [part]
    const keyKind = kindOf(start.key)
    const isSameGroup = (kind === 'boolean') === (keyKind === 'boolean')
    if (!isSameGroup) return (kind === 'boolean') === isDescending ? [] : [part]
    const key = boundOf(kind, start.key)
    const bound = isDescending ? { upTo: [last, key] } : { from: [first, key] }
    return [{ ...part, ...bound, condition: sql`${condition} AND ${isLeft(kind, keyKind, key)}` }]
  })

  /** SQL that tests whether a value at the bound is still to come: an equal text is before the long one. */
  function isLeft(kind: ValueKind, keyKind: ValueKind, key: SQL): SQL {
    if (kind === keyKind) return sql`(value <> ${key} OR block >= ${indexValue(start?.block ?? 0)})`
    return (kind === 'long') === isDescending ? sql`value <> ${key}` : sql`true`
  }
}

/** The kinds of values that a range has. */
function kindsIn({ low, high, isLong }: TermRange): ValueKind[] {
  if (isLong) return ['long']
  if (typeof low === 'object' && low !== null) return ['boolean', 'long']
  const isBelowBlobs = high !== null && (typeof high !== 'object' || high.hex === '')
  return isBelowBlobs ? ['text'] : ['text', 'long', 'boolean']
}

const kindOf = (key: IndexValue): ValueKind => {
  if (typeof key !== 'object') return 'text'
  return key.hex.length > 2 ? 'long' : 'boolean'
}

/** SQL for a key as a value of another kind of text. */
function boundOf(kind: ValueKind, key: IndexValue): SQL {
  if (kind === 'text' && typeof key === 'object') return sql`CAST(${indexValue(key)} AS TEXT)`
  return indexValue(kind === 'long' && typeof key === 'string' ? toBlob(key) : key)
}

/** Compares two values by an ascending order. */
export function compareValues(one: IndexValue, other: IndexValue): number {
  if (typeof one === 'string' && typeof other === 'string') return compareCodePoints(one, other)
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const ranks = rankOf(one) - rankOf(other)
  if (ranks !== 0) return ranks
  const bytes = compareCodePoints(hexOf(one), hexOf(other))
  return bytes || Number(typeof one === 'object') - Number(typeof other === 'object')
}

const rankOf = (value: IndexValue) => {
  if (typeof value === 'number') return 0
  return kindOf(value) === 'boolean' ? 2 : 1
}

const hexOf = (value: IndexValue) =>
  typeof value === 'object' ? value.hex : toBlob(String(value)).hex
