import { invalidField } from '../api-error.ts'
import { findNearest } from '../spelling.ts'
import type { ValueType } from '../value-types.ts'
import type { FilterExpression, NamedComparison, NamedMembership } from './filter-expression.ts'
import { adaptComparison } from './literals.ts'
import { isNegation, negations } from './operators.ts'
import type { Comparison, FieldPath, Membership, Predicate, Scalar } from './predicate.ts'
import type { NamedOrder, Order } from './query-options.ts'

/** The fields that a query may name, by name. */
export type QueryFields = ReadonlyMap<string, QueryField>

/** A field that a query may name; with a reference, a field of the referenced record. */
export type QueryField = FieldPath & {
  type: ValueType
  reference?: ReferencePath
  /** The name of a field that no document has: the service derives whether it is true. */
  derived?: string
}

/** The path of a property that refers to a record of another collection. */
export type ReferencePath = { path: readonly string[]; to: string }

/** A condition on the record that a reference leads to. A record without the referenced one does not pass. */
export type ReferencedCondition = { reference: ReferencePath; condition: Predicate }

/** A condition on a derived field. */
export type DerivedCondition = { derived: string; value: Scalar | null }

/** A predicate that may have conditions on referenced records and on derived fields. */
export type ResolvedFilter =
  | { and: readonly ResolvedFilter[] }
  | { or: readonly ResolvedFilter[] }
  | { not: ResolvedFilter }
  | Comparison
  | Membership
  | ReferencedCondition
  | DerivedCondition

/** Resolves the names of `$filter`. Throws 400 for a name that is not among the fields, and for a literal of another type than the field. */
export function resolveFilter(expression: FilterExpression, fields: QueryFields): ResolvedFilter {
  if ('and' in expression)
    return { and: joinConditions('and', resolveParts(expression.and, fields)) }
  if ('or' in expression) return { or: joinConditions('or', resolveParts(expression.or, fields)) }
  if ('not' in expression) return { not: resolveFilter(expression.not, fields) }
  if ('ageOn' in expression && expression.ageOn !== undefined)
    throw invalidField(
      expression.option ?? '$filter',
      'not_allowed',
      'can have age(…) in summaries only, and there beside other conditions, not within or and not.',
    )
  const { name, option = '$filter' } = expression
  const { reference, derived, ...field } = resolveField(option, name, fields)
  if (derived) return resolveDerived(derived, field, expression)
  if ('literals' in expression) return resolveMembership(field, reference, expression)
  return resolveComparison(field, reference, expression)
}

/** The order of `$orderby`. Throws 400 for a name that is not among the fields of the record, and for a list. */
export const resolveOrder = (orderBy: readonly NamedOrder[], fields: QueryFields): Order[] => {
  const recordFields = new Map(
    [...fields].filter(([, { reference, derived }]) => !reference && !derived),
  )
  return orderBy.map(({ name, isDescending }) => {
    const field = resolveField('$orderby', name, recordFields)
    if (field.isList)
      throw invalidField('$orderby', 'invalid_type', `cannot order by ${name}, which is a list.`)
    return { field, isDescending }
  })
}

/** The field of a name. Throws 400 for a name that is not among the fields; `option` names the parameter. */
export function resolveField(option: string, name: string, fields: QueryFields): QueryField {
  const field = fields.get(name)
  if (!field) throw unknownName(option, name, fields.keys())
  return field
}

export function unknownName(option: string, name: string, names: Iterable<string>) {
  const nearest = findNearest(name, names)
  const suggestion = nearest && ` Did you mean ${quoteName(nearest)}?`
  const message = `There is no field ${quoteName(name.slice(0, 256))}.${suggestion}`
  return invalidField(option, 'unknown_field', message)
}

/** Quotes a name as query options spell it. */
const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`

const resolveParts = (parts: readonly FilterExpression[], fields: QueryFields) =>
  parts.map((part) => resolveFilter(part, fields))

/** Joins the conditions on the same referenced record, because each condition costs a read. */
function joinConditions(
  operator: 'and' | 'or',
  parts: readonly ResolvedFilter[],
): ResolvedFilter[] {
  const conditions = parts.filter((part) => 'condition' in part)
  const byReference = Map.groupBy(conditions, ({ reference }) => reference.path.join('.'))
  const joined = [...byReference.values()].flatMap(([first, ...others]): ResolvedFilter[] => {
    if (!first || others.length === 0) return first ? [first] : []
    const all = [first, ...others].map(({ condition }) => condition)
    const condition: Predicate = operator === 'and' ? { and: all } : { or: all }
    return [{ reference: first.reference, condition }]
  })
  return [...parts.filter((part) => !('condition' in part)), ...joined]
}

type RecordField = FieldPath & { type: ValueType }

function resolveDerived(
  derived: string,
  field: RecordField,
  expression: NamedComparison | NamedMembership,
): ResolvedFilter {
  if ('literals' in expression) {
    const { literals, ...named } = expression
    return {
      or: literals.map((literal) =>
        resolveDerived(derived, field, { ...named, operator: 'eq', literal }),
      ),
    }
  }
  const { operator, value } = adaptComparison(expression, field)
  const condition = { derived, value }
  return isNegation(operator) ? { not: condition } : condition
}

function resolveMembership(
  field: RecordField,
  reference: ReferencePath | undefined,
  { literals, ...named }: NamedMembership,
): ResolvedFilter {
  const tests = literals.map((literal) =>
    adaptComparison({ ...named, operator: 'eq', literal }, field),
  )
  const values = tests.flatMap(({ value }): Scalar[] => (value === null ? [] : [value]))
  if (!named.fieldFunction && values.length === tests.length)
    return follow(reference, { field, values: new Set(values) })
  const comparisons = literals.map((literal) =>
    resolveComparison(field, reference, { ...named, operator: 'eq', literal }),
  )
  return { or: joinConditions('or', comparisons) }
}

function resolveComparison(
  field: RecordField,
  reference: ReferencePath | undefined,
  named: NamedComparison,
): ResolvedFilter {
  const { operator, fieldFunction } = named
  const test = adaptComparison(named, field)
  const comparison: Comparison = { field, ...test, ...(fieldFunction && { fieldFunction }) }
  if (!reference) return comparison
  // The value of a record that does not exist is missing.
  const isMissing = test.value === null
  if (isNegation(operator) && !isMissing)
    return { not: follow(reference, { ...comparison, operator: negations[operator] }) }
  if (operator === 'eq' && isMissing)
    return { not: follow(reference, { ...comparison, operator: 'ne' }) }
  return follow(reference, comparison)
}

const follow = (reference: ReferencePath | undefined, condition: Predicate): ResolvedFilter =>
  reference ? { reference, condition } : condition
