import { joinAlternatives } from '../../platform/join-names.ts'
import { compareCodePoints } from './compare-texts.ts'

/** The operators of `$filter`, by their names in OData 4.01. */
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

/** The operators that negate another one, which has the tests and is found in the index. */
export const negations = { ne: 'eq' } as const satisfies Partial<Record<Operator, Operator>>

export type Negation = keyof typeof negations

export const isNegation = (operator: Operator): operator is Negation =>
  Object.hasOwn(negations, operator)

export const negationNames = joinAlternatives(Object.keys(negations))

type OperatorRules = {
  /** The operator with the same result for exchanged sides. Without it, the operator is written as a function. */
  exchanged?: Operator
  /** The tests by type; a value of a type without a test does not pass. */
  texts?: (text: string, value: string) => boolean
  numbers?: (number: number, value: number) => boolean
  booleans?: (boolean: boolean, value: boolean) => boolean
  /**
   * For a stored date and a time during a day, such as 09:30 on 31 January: a date counts as its first instant, so
   * `ge` that time means the same as `gt` the date 2026-01-31, and `lt` means `le`. Without it, no date passes.
   */
  duringDay?: Operator
}

const isEqual = <Value>(one: Value, other: Value) => one === other

const ordered = (isInOrder: (difference: number) => boolean) => ({
  texts: (text: string, value: string) => isInOrder(compareCodePoints(text, value)),
  numbers: (number: number, value: number) => isInOrder(number - value),
})

/**
 * The syntax of the operators and their results for values in memory. How the index finds the
 * same records is in `src/store/query/term-operators.ts`.
 */
export const operatorTable: Readonly<Record<Operator, OperatorRules>> = {
  eq: { exchanged: 'eq', texts: isEqual, numbers: isEqual, booleans: isEqual },
  ne: { exchanged: 'ne' },
  gt: { exchanged: 'lt', duringDay: 'gt', ...ordered((difference) => difference > 0) },
  ge: { exchanged: 'le', duringDay: 'gt', ...ordered((difference) => difference >= 0) },
  lt: { exchanged: 'gt', duringDay: 'le', ...ordered((difference) => difference < 0) },
  le: { exchanged: 'ge', duringDay: 'le', ...ordered((difference) => difference <= 0) },
  contains: { texts: (text, part) => text.includes(part) },
  startswith: { texts: (text, start) => text.startsWith(start) },
  endswith: { texts: (text, end) => text.endsWith(end) },
}

/** The rules with the tests of an operator: its own, or for a negation those of the negated operator. */
export const testsOf = (operator: Operator): OperatorRules =>
  operatorTable[isNegation(operator) ? negations[operator] : operator]

/** The operators that stand between a field and a value. */
export const infixOperators = operators.filter((name) => operatorTable[name].exchanged)

/** The operators that are written as functions. */
export const functionOperators = operators.filter((name) => !operatorTable[name].exchanged)

/** The test of a number by an operator. */
export function testNumber(operator: Operator, value: number): (number: number) => boolean {
  const tests = testsOf(operator)
  const isNegated = tests !== operatorTable[operator]
  return (number) => (tests.numbers?.(number, value) ?? false) !== isNegated
}

/** The comparisons in words that apply to values with a test of a type. */
export const listComparisons = (type: 'texts' | 'numbers' | 'booleans') =>
  joinAlternatives([...infixOperators.filter((name) => testsOf(name)[type]), 'in'])
