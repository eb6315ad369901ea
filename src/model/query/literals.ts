import { invalidField } from '../api-error.ts'
import { toTimestamp } from '../timestamp.ts'
import { type StoredForm, type ValueType, valueTypes } from '../value-types.ts'
import type { Literal, NamedComparison } from './filter-expression.ts'
import { listComparisons, type Operator, operatorTable, testsOf } from './operators.ts'
import type { Comparison, FieldPath } from './predicate.ts'

type TypedField = FieldPath & { type: ValueType }
type Test = Pick<Comparison, 'operator' | 'value'>
type NamedTest = Pick<NamedComparison, 'name' | 'operator' | 'literal' | 'option'>

type ComparedType = {
  /** Adapts a comparison to the type; undefined if its values cannot be compared so. */
  adapt: (operator: Operator, literal: Exclude<Literal, { type: 'null' }>) => Test | undefined
  /** What a field is, and what to compare it with. */
  words: string
}

const dateWords = 'a date or time: compare it with one, such as 2026-01-31 or 2026-01-31T09:30:00Z'
const textWords = "a text: compare it with a text in single quotation marks, such as 'Food'"

type ComparedForm = Exclude<StoredForm, 'texts' | 'objects'>

/** A list is compared by its elements, as texts. */
const comparedAs = (stored: StoredForm): ComparedForm =>
  stored === 'texts' || stored === 'objects' ? 'text' : stored

const comparedTypes: Readonly<Record<ComparedForm, ComparedType>> = {
  any: {
    adapt: (operator, { value }) => ({ operator, value }),
    words: textWords,
  },
  text: {
    adapt: (operator, { type, value }) => (type === 'text' ? { operator, value } : undefined),
    words: textWords,
  },
  number: {
    adapt: (operator, { value }) =>
      typeof value === 'number' && testsOf(operator).numbers ? { operator, value } : undefined,
    words: `a number: compare it with a number, such as 3.5, by ${listComparisons('numbers')}`,
  },
  boolean: {
    adapt: (operator, { value }) =>
      typeof value === 'boolean' && testsOf(operator).booleans ? { operator, value } : undefined,
    words: `true or false: compare it with true or false by ${listComparisons('booleans')}`,
  },
  date: { adapt: compareDates, words: dateWords },
  time: { adapt: compareTimes, words: dateWords },
}

/**
 * The comparison of a field with a literal that is adapted to the field's type. A date
 * compares as its first instant. Throws 400 for a literal of a type that the field cannot have.
 */
export function adaptComparison(
  { name, operator, literal, option = '$filter' }: NamedTest,
  field: TypedField,
): Test {
  if (literal.value === null) return { operator, value: null }
  const { adapt, words } = comparedTypes[comparedAs(valueTypes[field.type].stored)]
  const test = adapt(operator, literal)
  if (test) return test
  throw invalidField(option, 'invalid_type', `${name.slice(0, 256)} is ${words}.`)
}

/** Compares stored times: as times, or by an operator of texts only as texts. */
function compareTimes(operator: Operator, { value }: Literal): Test | undefined {
  if (!testsOf(operator).numbers) return { operator, value }
  const time = typeof value === 'string' ? toTimestamp(value) : undefined
  return time === undefined ? undefined : { operator, value: time }
}

/** The comparison of stored dates that has the result of comparing their first instants with a time. */
function compareDates(operator: Operator, literal: Literal): Test | undefined {
  const test = compareTimes(operator, literal)
  if (!test || !testsOf(operator).numbers) return test
  const time = String(test.value)
  const day = time.slice(0, 10)
  if (time.endsWith('T00:00:00.000Z')) return { operator, value: day }
  const { duringDay } = operatorTable[operator]
  // The first instant of no date is within a day, so equality compares with a text that is no date.
  return duringDay ? { operator: duringDay, value: day } : test
}
