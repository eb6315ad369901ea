import type { FieldFunction } from './field-functions.ts'
import type { Operator } from './operators.ts'

/** A literal of `$filter`, with the type that its spelling shows. Times are in UTC with milliseconds. */
export type Literal =
  | { type: 'text' | 'date' | 'time'; value: string }
  | { type: 'number'; value: number }
  | { type: 'boolean'; value: boolean }
  | { type: 'null'; value: null }

/** A comparison of a named field, before the name is known to be a field. */
export type NamedComparison = {
  name: string
  operator: Operator
  literal: Literal
  fieldFunction?: FieldFunction
  /** The name of a date: compares the age on it of a person who was born on the named date. */
  ageOn?: string
  /** The option that has the comparison; by default `$filter`. */
  option?: string
}

/** A test whether a named field has one of some values. */
export type NamedMembership = {
  name: string
  literals: readonly Literal[]
  fieldFunction?: FieldFunction
  option?: string
}

/** The syntax tree of `$filter`. */
export type FilterExpression =
  | { and: readonly FilterExpression[] }
  | { or: readonly FilterExpression[] }
  | { not: FilterExpression }
  | NamedComparison
  | NamedMembership

export function namesIn(expression: FilterExpression): string[] {
  if ('and' in expression) return expression.and.flatMap(namesIn)
  if ('or' in expression) return expression.or.flatMap(namesIn)
  if ('not' in expression) return namesIn(expression.not)
  const { name } = expression
  return 'ageOn' in expression && expression.ageOn !== undefined ? [name, expression.ageOn] : [name]
}
