import { type SQL, sql } from 'drizzle-orm/sql'
import { compareCodePoints } from '../../model/query/compare-texts.ts'
import { indexValue } from './sort-keys.ts'
import { type IndexValue, type TermRange, toBlob } from './term-ranges.ts'

/*
 * The index has numbers, texts and blobs in this order, and a long text is a blob, but orders have it among
 * the texts by its beginning. So a walk reads numbers and texts, long texts and booleans each in the order of
 * the index, and merges them.
 */

type ValueForm = 'text' | 'long' | 'boolean'

/** The first and the last possible value of each form, and its condition within these. */
const valueForms: Readonly<Record<ValueForm, { first: SQL; last: SQL; condition: SQL }>> = {
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
  return formsIn(range).flatMap((form): WalkPart[] => {
    const { first, last, condition } = valueForms[form]
    const part = { from: [first], upTo: [last], condition }
    if (!start) return [part]
    const keyForm = formOf(start.key)
    const isSameGroup = (form === 'boolean') === (keyForm === 'boolean')
    if (!isSameGroup) return (form === 'boolean') === isDescending ? [] : [part]
    const key = boundOf(form, start.key)
    const bound = isDescending ? { upTo: [last, key] } : { from: [first, key] }
    return [{ ...part, ...bound, condition: sql`${condition} AND ${isLeft(form, keyForm, key)}` }]
  })

  /** SQL that tests whether a value at the bound is still to come: an equal text is before the long one. */
  function isLeft(form: ValueForm, keyForm: ValueForm, key: SQL): SQL {
    if (form === keyForm) return sql`(value <> ${key} OR block >= ${indexValue(start?.block ?? 0)})`
    return (form === 'long') === isDescending ? sql`value <> ${key}` : sql`true`
  }
}

/** The forms of values that a range has. */
function formsIn({ low, high, isLong }: TermRange): ValueForm[] {
  if (isLong) return ['long']
  if (typeof low === 'object' && low !== null) return ['boolean', 'long']
  const isBelowBlobs = high !== null && (typeof high !== 'object' || high.hex === '')
  return isBelowBlobs ? ['text'] : ['text', 'long', 'boolean']
}

const formOf = (key: IndexValue): ValueForm => {
  if (typeof key !== 'object') return 'text'
  return key.hex.length > 2 ? 'long' : 'boolean'
}

/** SQL for a key as a value of another form of text. */
function boundOf(form: ValueForm, key: IndexValue): SQL {
  if (form === 'text' && typeof key === 'object') return sql`CAST(${indexValue(key)} AS TEXT)`
  return indexValue(form === 'long' && typeof key === 'string' ? toBlob(key) : key)
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
  return formOf(value) === 'boolean' ? 2 : 1
}

const hexOf = (value: IndexValue) =>
  typeof value === 'object' ? value.hex : toBlob(String(value)).hex
