import { invalidField } from '../api-error.ts'
import type { ValueType } from '../properties/value-types.ts'
import { findNearest } from '../spelling.ts'
import type { FilterExpression, NamedMembership } from './filter-expression.ts'
import { adaptComparison } from './literals.ts'
import type { FieldPath, Predicate, Scalar } from './predicate.ts'
import type { NamedOrder, Order } from './query-options.ts'

/** The fields that a query may name, by name. */
export type QueryFields = ReadonlyMap<string, QueryField>

/** A field that a query may name. */
export type QueryField = FieldPath & { type: ValueType }

/** Returns the predicate of `$filter`. Throws 400 for a name that is not among the fields, and for a literal of another type than the field. */
export function resolveFilter(expression: FilterExpression, fields: QueryFields): Predicate {
  if ('and' in expression) return { and: expression.and.map((part) => resolveFilter(part, fields)) }
  if ('or' in expression) return { or: expression.or.map((part) => resolveFilter(part, fields)) }
  if ('not' in expression) return { not: resolveFilter(expression.not, fields) }
  const { name, ignoresCase } = expression
  const field = resolveField('$filter', name, fields)
  const folding = ignoresCase && { ignoresCase }
  if ('literals' in expression) return resolveMembership(field, expression)
  const { operator, literal } = expression
  return { field, ...adaptComparison(name, field, operator, literal), ...folding }
}

/** Returns the order of `$orderby`. Throws 400 for a name that is not among the fields, and for a list. */
export const resolveOrder = (orderBy: readonly NamedOrder[], fields: QueryFields): Order[] =>
  orderBy.map(({ name, isDescending }) => {
    const field = resolveField('$orderby', name, fields)
    if (field.isList)
      throw invalidField('$orderby', 'invalid_type', `cannot order by ${name}, which is a list.`)
    return { field, isDescending }
  })

/** Returns the 400 for an unknown name, with the nearest known one. */
export function unknownName(option: string, name: string, names: Iterable<string>) {
  const nearest = findNearest(name, names)
  const suggestion = nearest && ` Did you mean ${quoteName(nearest)}?`
  const message = `There is no field ${quoteName(name.slice(0, 256))}.${suggestion}`
  return invalidField(option, 'unknown_field', message)
}

/** Returns the field of a name. Throws 400 for a name that is not among the fields; `option` names the parameter. */
export function resolveField(option: string, name: string, fields: QueryFields): QueryField {
  const field = fields.get(name)
  if (!field) throw unknownName(option, name, fields.keys())
  return field
}

function resolveMembership(
  field: QueryField,
  { name, literals, ignoresCase }: NamedMembership,
): Predicate {
  const tests = literals.map((literal) => adaptComparison(name, field, 'eq', literal))
  const values = tests.flatMap(({ value }): Scalar[] => (value === null ? [] : [value]))
  if (!ignoresCase && values.length === tests.length) return { field, values: new Set(values) }
  return { or: tests.map((test) => ({ field, ...test, ...(ignoresCase && { ignoresCase }) })) }
}

/** Quotes a name as query options spell it. */
const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`
