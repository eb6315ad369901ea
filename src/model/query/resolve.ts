import { invalidField } from '../api-error.ts'
import type { ValueType } from '../properties/value-types.ts'
import type { FilterExpression, Literal, NamedComparison } from './filter-expression.ts'
import type { FieldPath, Predicate, Scalar } from './predicate.ts'
import type { NamedOrder, Order } from './query-options.ts'

/** The fields that a query may name, by name. */
export type QueryFields = ReadonlyMap<string, QueryField>

/** A field that a query may name. */
export type QueryField = FieldPath & { type: ValueType }

/** Returns the predicate of `$filter`. Throws 400 for a name that is not among the fields. */
export function resolveFilter(expression: FilterExpression, fields: QueryFields): Predicate {
  if ('and' in expression) return { and: expression.and.map((part) => resolveFilter(part, fields)) }
  if ('or' in expression) return { or: expression.or.map((part) => resolveFilter(part, fields)) }
  if ('not' in expression) return { not: resolveFilter(expression.not, fields) }
  const field = resolveField('$filter', expression.name, fields)
  if ('literals' in expression) {
    const values = expression.literals.map(
      (literal) => ({ field, operator: 'eq', literal }) as const,
    )
    return { or: values.map((value) => resolveComparison(field, { ...expression, ...value })) }
  }
  return resolveComparison(field, expression)
}

/** Returns the order of `$orderby`. Throws 400 for a name that is not among the fields, and for a list. */
export const resolveOrder = (orderBy: readonly NamedOrder[], fields: QueryFields): Order[] =>
  orderBy.map(({ name, isDescending }) => {
    const field = resolveField('$orderby', name, fields)
    if (field.isList)
      throw invalidField('$orderby', 'invalid_type', `cannot order by ${name}, which is a list.`)
    return { field, isDescending }
  })

/** Returns the field of a name. Throws 400 for a name that is not among the fields; `option` names the parameter. */
export function resolveField(option: string, name: string, fields: QueryFields): QueryField {
  const field = fields.get(name)
  if (!field) throw invalidField(option, 'unknown_field', `There is no field "${name}".`)
  return field
}

/** Compares dates and times by their first instants: `start gt 2026-01-01` excludes midnight. */
function resolveComparison(
  field: QueryField,
  { operator, literal, ignoresCase }: Omit<NamedComparison, 'name'>,
): Predicate {
  const value = toScalar(literal)
  return { field, operator, value, ...(ignoresCase && { ignoresCase }) }
}

const toScalar = ({ value }: Literal): Scalar | null => value
