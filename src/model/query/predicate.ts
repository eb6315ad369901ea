import { valueAt } from '../json.ts'
import { type FieldFunction, fieldFunctions } from './field-functions.ts'
import { isNegation, negations, type Operator, operatorTable } from './operators.ts'

/** A value that a filter compares with. */
export type Scalar = string | number | boolean

/** A field of a query: its path in the document, and whether its value is a list. */
export type FieldPath = {
  path: readonly string[]
  isList: boolean
  /** The question that the field has the answers to: those of the list at the path. */
  question?: string
}

/** A comparison of a field with a value; null means no value. */
export type Comparison = {
  field: FieldPath
  operator: Operator
  value: Scalar | null
  /** The function that is applied to the field. */
  fieldFunction?: FieldFunction | undefined
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
  if (isNegation(operator))
    return !passes({ ...predicate, operator: negations[operator] }, document)
  if (value === null) return operator === 'eq' && scalars.length === 0
  return scalars.some((scalar) => compare(scalar, predicate, value))
}

/** The comparable values of a field: one, or the elements of a list. */
function scalarsAt(document: unknown, { path }: FieldPath): Scalar[] {
  const value = valueAt(document, path)
  return (Array.isArray(value) ? value : [value]).filter(isScalar)
}

export const isScalar = (value: unknown): value is Scalar =>
  ['string', 'number', 'boolean'].includes(typeof value)

function compare(scalar: Scalar, { operator, fieldFunction }: Comparison, value: Scalar): boolean {
  // A function applies to texts; a number or boolean is compared as it is.
  if (!fieldFunction || typeof scalar !== 'string') return holds(operator, scalar, value)
  const { apply } = fieldFunctions[fieldFunction]
  return holds(operator, apply(scalar), typeof value === 'string' ? apply(value) : value)
}

function holds(operator: Operator, one: Scalar, other: Scalar): boolean {
  const { texts, numbers, booleans } = operatorTable[operator]
  if (typeof one === 'string' && typeof other === 'string') return texts?.(one, other) ?? false
  if (typeof one === 'number' && typeof other === 'number') return numbers?.(one, other) ?? false
  if (typeof one === 'boolean' && typeof other === 'boolean') return booleans?.(one, other) ?? false
  return false
}
