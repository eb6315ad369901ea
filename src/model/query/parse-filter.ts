import { joinAlternatives } from '../../platform/join-names.ts'
import { invalidField } from '../api-error.ts'
import { fieldFunctionNames, fieldFunctions } from './field-functions.ts'
import type { FilterExpression, Literal, NamedComparison } from './filter-expression.ts'
import {
  functionOperators,
  infixOperators,
  isNegation,
  negationNames,
  type Operator,
  operatorTable,
} from './operators.ts'
import { isSymbol, TokenReader } from './tokens.ts'

const maxComparisons = 100
const maxDepth = 20
const maxLiterals = 250

const infixNames = joinAlternatives([...infixOperators, 'in'])
const functionNames = joinAlternatives(functionOperators)
const namesBeforeParenthesis = joinAlternatives([...functionOperators, ...fieldFunctionNames])

/** The spellings of the function, in lower case: OData has it in the namespace of the service. */
const ageNames = ['age', 'dataplatform.age']

const constants = new Map<string, Literal>([
  ['true', { type: 'boolean', value: true }],
  ['false', { type: 'boolean', value: false }],
  ['null', { type: 'null', value: null }],
])

type NamedField = Pick<NamedComparison, 'name' | 'fieldFunction' | 'ageOn' | 'option'>
type Operand = NamedField | { literal: Literal }

/** The option of a filter, and what its names mean. */
type Names = {
  /** What errors name; by default `$filter`. */
  option?: string
  /** Converts a name without quotation marks; of a list before `/any`. */
  toFieldName?: (name: string, isList: boolean) => string
  /** Throws if a word is a function or an operator that other services have. */
  refuseWord?: (word: string) => void
}

/** Parses `$filter` in the syntax of OData 4.01. Throws 400 with the position of the first error. */
export const parseFilter = (text: string, names: Names = {}) =>
  new FilterParser(text, names).parse()

class FilterParser {
  readonly #reader: TokenReader
  readonly #names: Names
  /** The variable of `any` for the elements of a list, within its parentheses. */
  #element: { variable: string; list: string } | undefined
  #comparisons = 0

  constructor(text: string, names: Names) {
    this.#reader = new TokenReader(names.option ?? '$filter', text)
    this.#names = names
  }

  parse(): FilterExpression {
    const expression = this.#parseOr(0)
    if (!('isEnd' in this.#reader.token)) this.#reader.fail('and, or, or the end')
    return expression
  }

  #parseOr(depth: number): FilterExpression {
    const first = this.#parseAnd(depth)
    const parts = [first]
    while (this.#reader.skipKeyword('or')) parts.push(this.#parseAnd(depth))
    return parts.length === 1 ? first : { or: parts }
  }

  #parseAnd(depth: number): FilterExpression {
    const first = this.#parseCondition(depth)
    const parts = [first]
    while (this.#reader.skipKeyword('and')) parts.push(this.#parseCondition(depth))
    return parts.length === 1 ? first : { and: parts }
  }

  #parseCondition(depth: number): FilterExpression {
    const reader = this.#reader
    if (depth > maxDepth)
      throw invalidField(reader.option, 'too_long', `must be nested at most ${maxDepth} times.`)
    if (reader.skipSymbol('(')) {
      const inner = this.#parseOr(depth + 1)
      reader.requireSymbol(')', 'and, or, or )')
      return inner
    }
    if (reader.skipKeyword('not')) return { not: this.#parseCondition(depth + 1) }
    if (reader.keyword.endsWith('/any') && reader.isBefore('(')) return this.#parseAny(depth)
    if (++this.#comparisons > maxComparisons)
      throw invalidField(
        reader.option,
        'too_long',
        `must have at most ${maxComparisons} comparisons.`,
      )
    const operator = functionOperators.find((name) => name === reader.keyword)
    return operator && reader.isBefore('(')
      ? this.#parseFunction(operator)
      : this.#parseComparison()
  }

  /** Parses `tags/any()`, or `tags/any(tag:…)` with comparisons of the variable that are combined by `or`: a list passes these too if an element does. */
  #parseAny(depth: number): FilterExpression {
    const reader = this.#reader
    const { token } = reader
    if (!('name' in token) || this.#element) return reader.fail('a comparison')
    const list = this.#toFieldName(token.name.slice(0, -'/any'.length), true)
    reader.advance()
    reader.requireSymbol('(')
    if (reader.skipSymbol(')'))
      return { name: list, operator: 'ne', literal: { type: 'null', value: null } }
    const { token: variable } = reader
    if (!('name' in variable)) return reader.fail('a variable')
    reader.advance()
    reader.requireSymbol(':')
    this.#element = { variable: variable.name, list }
    const start = reader.token
    const condition = this.#parseOr(depth + 1)
    if (!isOfOneElement(condition)) {
      this.#names.refuseWord?.('any')
      reader.fail(
        `comparisons by other operators than ${negationNames}, combined by or only,`,
        start,
      )
    }
    this.#element = undefined
    reader.requireSymbol(')', 'or, or )')
    return condition
  }

  #parseFunction(operator: Operator): FilterExpression {
    const reader = this.#reader
    reader.advance()
    reader.requireSymbol('(')
    const field = this.#parseField()
    reader.requireSymbol(',', 'a comma')
    const { token } = reader
    const literal = this.#parseLiteral()
    if (literal.type !== 'text') reader.fail("a text, such as 'Food',", token)
    reader.requireSymbol(')')
    return { ...field, operator, literal }
  }

  #parseComparison(): FilterExpression {
    const reader = this.#reader
    const left = this.#parseOperand(`a field, or ${functionNames}`)
    if ('name' in left && left.ageOn === undefined && reader.skipKeyword('in'))
      return { ...left, literals: this.#parseLiterals() }
    const operator = infixOperators.find((name) => name === reader.keyword)
    if (!operator && 'name' in left && this.#endsCondition())
      return { ...left, operator: 'eq', literal: { type: 'boolean', value: true } }
    if (!operator) {
      this.#names.refuseWord?.(reader.keyword)
      return reader.fail(infixNames)
    }
    reader.advance()
    if ('name' in left) return { ...left, operator, literal: this.#parseLiteral() }
    const { literal } = left
    const { exchanged = operator } = operatorTable[operator]
    return { ...this.#parseField(), operator: exchanged, literal }
  }

  /** Whether a field stands alone, as a boolean can. */
  #endsCondition(): boolean {
    const { token, keyword } = this.#reader
    return isSymbol(token, ')') || 'isEnd' in token || keyword === 'and' || keyword === 'or'
  }

  #parseLiterals(): Literal[] {
    const reader = this.#reader
    reader.requireSymbol('(')
    const literals = [this.#parseLiteral()]
    while (reader.skipSymbol(',')) literals.push(this.#parseLiteral())
    reader.requireSymbol(')', 'a comma or )')
    if (literals.length > maxLiterals)
      throw invalidField(
        reader.option,
        'too_long',
        `must have at most ${maxLiterals} values after in.`,
      )
    return literals
  }

  #parseField(): NamedField {
    const { token } = this.#reader
    const operand = this.#parseOperand('a field')
    return 'name' in operand ? operand : this.#reader.fail('a field', token)
  }

  #parseLiteral(): Literal {
    const expected = "a value, such as 'Food', 3.5, 2026-01-31, true or null,"
    const { token } = this.#reader
    const operand = this.#parseOperand(expected)
    return 'literal' in operand ? operand.literal : this.#reader.fail(expected, token)
  }

  /** Parses a field or a literal, also within a function such as `tolower`. */
  #parseOperand(expected: string): Operand {
    const reader = this.#reader
    if (ageNames.includes(reader.keyword) && reader.isBefore('(')) return this.#parseAge()
    const fieldFunction = fieldFunctionNames.find((name) => name === reader.keyword)
    if (!fieldFunction || !reader.isBefore('(')) return this.#parseTerm(expected)
    reader.advance()
    reader.requireSymbol('(')
    const { token } = reader
    const operand = this.#parseTerm(expected)
    reader.requireSymbol(')')
    if ('name' in operand) return { ...operand, fieldFunction }
    const { type, value } = operand.literal
    if (type !== 'text') return reader.fail("a field or a text, such as 'Food',", token)
    const result = fieldFunctions[fieldFunction].apply(value)
    return {
      literal:
        typeof result === 'string'
          ? { type: 'text', value: result }
          : { type: 'number', value: result },
    }
  }

  /** Parses `age(member.Born,date)`: the age on a date of a person who was born on another. */
  #parseAge(): NamedField {
    const reader = this.#reader
    reader.advance()
    reader.requireSymbol('(')
    const { name } = this.#parseField()
    reader.requireSymbol(',', 'a comma and the date on which to count the age')
    const { name: ageOn } = this.#parseField()
    reader.requireSymbol(')')
    return { ...this.#nameField(name), ageOn }
  }

  #parseTerm(expected: string): Operand {
    const reader = this.#reader
    const { token } = reader
    const constant = constants.get(reader.keyword)
    if (!('name' in token || 'literal' in token)) return reader.fail(expected)
    if (reader.isBefore('(')) {
      this.#names.refuseWord?.(reader.keyword.replace(/^.*\//, ''))
      return reader.fail(namesBeforeParenthesis)
    }
    reader.advance()
    if (constant) return { literal: constant }
    if ('literal' in token) return { literal: token.literal }
    if (!this.#element)
      return this.#nameField(token.isQuoted ? token.name : this.#toFieldName(token.name))
    const { variable, list } = this.#element
    return token.name === variable ? this.#nameField(list) : reader.fail(variable, token)
  }

  #nameField(name: string): NamedField {
    const { option } = this.#names
    return { name, ...(option && { option }) }
  }

  #toFieldName(name: string, isList = false): string {
    return this.#names.toFieldName?.(name, isList) ?? name
  }
}

/** Whether a condition on the elements of a list is one on the list: an element has to pass one of its comparisons. */
function isOfOneElement(condition: FilterExpression): boolean {
  if ('or' in condition) return condition.or.every(isOfOneElement)
  if ('literals' in condition) return condition.literals.every(({ value }) => value !== null)
  if (!('operator' in condition)) return false
  return !isNegation(condition.operator) && condition.literal.value !== null
}
