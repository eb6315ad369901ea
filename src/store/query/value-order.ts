import { type SQL, sql } from 'drizzle-orm/sql'
import { compareCodePoints } from '../../model/query/compare-texts.ts'
import { indexValue } from './sort-keys.ts'
import { type IndexValue, type TermRange, toBlob } from './term-ranges.ts'

/*
 * The order of `$orderby` differs from the order of the index. The index has numbers, texts and then blobs, which are
 * booleans and the first 256 bytes of longer texts. `$orderby` has long texts among the other texts, and booleans
 * last. So a walk along the terms of a field reads three parts, each in the order of the index (numbers and texts,
 * long texts, booleans), and merges them by `compareValues`.
 */

type ValueForm = 'text' | 'long' | 'boolean'

/** Bounds for the values of each form in the index, and the condition that tells its values from others between these. */
const valueForms: Readonly<Record<ValueForm, { first: SQL; last: SQL; condition: SQL }>> = {
  text: { first: sql`-9e999`, last: sql`x''`, condition: sql`value < x''` },
  long: { first: sql`x''`, last: sql`x'FF'`, condition: sql`length(value) > 1` },
  boolean: { first: sql`x'00'`, last: sql`x'01'`, condition: sql`length(value) = 1` },
}

/** SQL for a part of a walk: bounds of its values, of which the narrowest count, and a further condition. */
type WalkPart = { from: SQL[]; upTo: SQL[]; condition: SQL }

/** The parts of a range of terms, or of its rest from a block of one value on. */
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
    const isOtherGroup = (form === 'boolean') !== (keyForm === 'boolean')
    // Booleans come last, so of the other group either all values are still to come or none.
    if (isOtherGroup) return (form === 'boolean') === isDescending ? [] : [part]
    const key = boundOf(form, start.key)
    const bound = isDescending ? { upTo: [last, key] } : { from: [first, key] }
    return [{ ...part, ...bound, condition: sql`${condition} AND ${isToCome(form, keyForm, key)}` }]
  })

  /** SQL that tests whether a value equal to the bound is still to come. In ascending order, a text is before a long one with this beginning. */
  function isToCome(form: ValueForm, keyForm: ValueForm, key: SQL): SQL {
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

/** SQL for a value as a bound of another form: a text as a long text, or the other way round. */
function boundOf(form: ValueForm, key: IndexValue): SQL {
  if (form === 'text' && typeof key === 'object') return sql`CAST(${indexValue(key)} AS TEXT)`
  return indexValue(form === 'long' && typeof key === 'string' ? toBlob(key) : key)
}

/** Compares two values as an ascending `$orderby` does. */
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
