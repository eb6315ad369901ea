import { valueAt } from '../json.ts'

/** A value that a filter compares with. */
export type Scalar = string | number | boolean

/** The comparisons of `$filter`, by their names in OData 4.01. */
export const operators = [
  'eq',
  'ne',
  'gt',
  'ge',
  'lt',
  'le',
  'contains',
  'startswith',
  'endswith',
] as const

export type Operator = (typeof operators)[number]

/** A field of a query: its path in the document, and whether its value is a list. */
export type FieldPath = { path: readonly string[]; isList: boolean }

/** A comparison of a field with a value; null means no value. */
export type Comparison = {
  field: FieldPath
  operator: Operator
  value: Scalar | null
  /** Whether A to Z equal a to z. */
  ignoresCase?: true
}

/** Tests whether a field has one of some values. */
export type Membership = { field: FieldPath; values: ReadonlySet<Scalar> }

/** A condition on a record. */
export type Predicate =
  | { and: readonly Predicate[] }
  | { or: readonly Predicate[] }
  | { not: Predicate }
  | Comparison
  | Membership

/** Whether a record passes. A list passes a comparison if one of its elements does, and `ne` if none is equal. */
export function passes(predicate: Predicate, document: unknown): boolean {
  if ('and' in predicate) return predicate.and.every((part) => passes(part, document))
  if ('or' in predicate) return predicate.or.some((part) => passes(part, document))
  if ('not' in predicate) return !passes(predicate.not, document)
  const scalars = scalarsAt(document, predicate.field)
  if ('values' in predicate) return scalars.some((scalar) => predicate.values.has(scalar))
  const { operator, value } = predicate
  if (operator === 'ne') return !passes({ ...predicate, operator: 'eq' }, document)
  if (value === null) return operator === 'eq' && scalars.length === 0
  return scalars.some((scalar) => compare(scalar, predicate, value))
}

/** The comparable values of a field: one, or the elements of a list. */
function scalarsAt(document: unknown, { path }: FieldPath): Scalar[] {
  const value = valueAt(document, path)
  return (Array.isArray(value) ? value : [value]).filter(isScalar)
}

const isScalar = (value: unknown): value is Scalar =>
  ['string', 'number', 'boolean'].includes(typeof value)

function compare(scalar: Scalar, { operator, ignoresCase }: Comparison, value: Scalar): boolean {
  if (typeof scalar === 'string' && typeof value === 'string') {
    return ignoresCase
      ? compareTexts(foldCase(scalar), operator, foldCase(value))
      : compareTexts(scalar, operator, value)
  }
  if (operator === 'eq') return scalar === value
  if (typeof scalar !== 'number' || typeof value !== 'number') return false
  return isInOrder(scalar - value, operator)
}

function compareTexts(text: string, operator: Operator, value: string): boolean {
  switch (operator) {
    case 'eq':
      return text === value
    case 'contains':
      return text.includes(value)
    case 'startswith':
      return text.startsWith(value)
    case 'endswith':
      return text.endsWith(value)
    default:
      return isInOrder(compareCodePoints(text, value), operator)
  }
}

function isInOrder(difference: number, operator: Operator): boolean {
  if (operator === 'gt') return difference > 0
  if (operator === 'ge') return difference >= 0
  return operator === 'lt' ? difference < 0 : operator === 'le' && difference <= 0
}

/** Folds A to Z, as SQLite's lower() does. */
export const foldCase = (text: string) =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Compares two texts by Unicode code point, as SQLite does; `<` would compare UTF-16 units. */
export function compareCodePoints(one: string, other: string): number {
  let at = 0
  while (at < one.length && at < other.length && one[at] === other[at]) at++
  const [a = -1, b = -1] = [one.codePointAt(at), other.codePointAt(at)]
  // A difference in the second half of a surrogate pair orders as its whole code point does.
  return a - b
}
