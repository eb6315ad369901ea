import { invalidField } from '../api-error.ts'
import type { ValueType } from '../properties/value-types.ts'
import { toTimestamp } from '../timestamp.ts'
import type { Literal } from './filter-expression.ts'
import type { Comparison, FieldPath, Operator } from './predicate.ts'

type TypedField = FieldPath & { type: ValueType }
type Test = Pick<Comparison, 'operator' | 'value'>

const textOperators: readonly Operator[] = ['contains', 'startswith', 'endswith']
const equalityOperators: readonly Operator[] = ['eq', 'ne']

/**
 * The comparison of a field with a literal that is adapted to the field's type. A date
 * compares as its first instant. Throws 400 for a literal of a type that the field cannot have.
 */
export function adaptComparison(
  name: string,
  field: TypedField,
  operator: Operator,
  literal: Literal,
): Test {
  const test = literal.type === 'null' ? { operator, value: null } : adapt(field, operator, literal)
  if (test) return test
  throw invalidField(
    '$filter',
    'invalid_type',
    `${name.slice(0, 256)} is ${describeType(field.type)}.`,
  )
}

function adapt(
  { type }: TypedField,
  operator: Operator,
  literal: Exclude<Literal, { type: 'null' }>,
): Test | undefined {
  const { value } = literal
  const isTextOperator = textOperators.includes(operator)
  switch (type) {
    case 'any':
      return { operator, value }
    case 'number':
      return literal.type === 'number' && !isTextOperator ? { operator, value } : undefined
    case 'boolean':
      return literal.type === 'boolean' && equalityOperators.includes(operator)
        ? { operator, value }
        : undefined
    case 'date':
    case 'time': {
      if (isTextOperator) return { operator, value }
      const time = toTime(literal)
      if (time === undefined) return undefined
      return type === 'time' ? { operator, value: time } : compareDate(operator, time)
    }
    default:
      return literal.type === 'text' ? { operator, value } : undefined
  }
}

const toTime = ({ type, value }: Literal): string | undefined =>
  ['text', 'date', 'time'].includes(type) ? toTimestamp(String(value)) : undefined

/** The comparison of stored dates that has the result of comparing their first instants with a time. */
function compareDate(operator: Operator, time: string): Test {
  const day = time.slice(0, 10)
  if (time.endsWith('T00:00:00.000Z')) return { operator, value: day }
  // The first instant of no date is within a day, so equality compares with a text that is no date.
  if (equalityOperators.includes(operator)) return { operator, value: time }
  return { operator: operator.startsWith('g') ? 'gt' : 'le', value: day }
}

function describeType(type: ValueType): string {
  switch (type) {
    case 'number':
      return 'a number: compare it with a number, such as 3.5, by eq, ne, gt, ge, lt, le or in'
    case 'boolean':
      return 'true or false: compare it with true or false by eq, ne or in'
    case 'date':
    case 'time':
      return 'a date or time: compare it with one, such as 2026-01-31 or 2026-01-31T09:30:00Z'
    default:
      return "a text: compare it with a text in single quotation marks, such as 'Food'"
  }
}
