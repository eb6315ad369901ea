import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../src/model/api-error.ts'
import type { FilterExpression, Literal } from '../../src/model/query/filter-expression.ts'
import { operators } from '../../src/model/query/operators.ts'
import { parseFilter } from '../../src/model/query/parse-filter.ts'
import { texts } from '../model/tricky-values.ts'
import { runs } from '../runs.ts'

const shortTexts = texts.map((text) => text.slice(0, 20))
const names = fc.oneof(fc.constantFrom('name', 'venue.postcode', 'in', 'eq'), shortTexts)
const literals: fc.Arbitrary<Literal> = fc.oneof(
  shortTexts.map((value) => ({ type: 'text' as const, value })),
  fc.integer().map((value) => ({ type: 'number' as const, value })),
  fc.boolean().map((value) => ({ type: 'boolean' as const, value })),
  fc.constant({ type: 'null' as const, value: null }),
  fc.constant({ type: 'date' as const, value: '2026-01-31' }),
)
const isText = ({ type }: Literal) => type === 'text'
const folding = fc.constantFrom({}, { fieldFunction: 'tolower' as const })
const comparisons = fc
  .tuple(names, fc.constantFrom(...operators), literals, folding)
  .filter(([, operator, literal]) => !operator.includes('s') || isText(literal))
  .map(([name, operator, literal, fold]) => ({ name, operator, literal, ...fold }))
const memberships = fc
  .tuple(names, fc.array(literals, { minLength: 1, maxLength: 3 }), folding)
  .map(([name, values, fold]) => ({ name, literals: values, ...fold }))

const { expression } = fc.letrec<{ expression: FilterExpression; pair: FilterExpression[] }>(
  (tie) => ({
    pair: fc.tuple(tie('expression'), tie('expression')),
    expression: fc.oneof(
      { maxDepth: 3 },
      comparisons,
      memberships,
      tie('expression').map((not) => ({ not })),
      tie('pair').map((and) => ({ and })),
      tie('pair').map((or) => ({ or })),
    ),
  }),
)

const quote = (text: string, mark: string) => mark + text.replaceAll(mark, mark + mark) + mark
const printLiteral = ({ type, value }: Literal) =>
  type === 'text' ? quote(value, "'") : String(value)

/** Prints a filter as its syntax spells it. */
function print(filter: FilterExpression): string {
  if ('and' in filter) return filter.and.map((part) => `(${print(part)})`).join(' and ')
  if ('or' in filter) return filter.or.map((part) => `(${print(part)})`).join(' or ')
  if ('not' in filter) return `not (${print(filter.not)})`
  const name = quote(filter.name, '"')
  const field = filter.fieldFunction ? `tolower(${name})` : name
  if ('literals' in filter) return `${field} in (${filter.literals.map(printLiteral).join(', ')})`
  const { operator, literal } = filter
  return operator.includes('s')
    ? `${operator}(${field},${printLiteral(literal)})`
    : `${field} ${operator} ${printLiteral(literal)}`
}

test('every printed filter is parsed to the same filter', () => {
  fc.assert(
    fc.property(expression, (filter) => {
      const text = print(filter)
      fc.pre(text.length <= 4096)
      expect(parseFilter(text)).toEqual(filter)
    }),
    runs(200),
  )
})

const pieces = fc.constantFrom(
  ...[
    "'",
    '"',
    '(',
    ')',
    ',',
    ' ',
    'a',
    'eq',
    'and',
    'not',
    'in',
    'tolower',
    '1',
    '-',
    '2026-01-31',
    'null',
    'é',
    '\u0000',
  ],
)

test('any other text is refused with a position and without its values', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(pieces).map((them) => them.join('')),
        texts,
      ),
      (text) => {
        try {
          parseFilter(text)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
          expect(String(error)).toMatch(/at character \d+\.$|at the end\.$|must /)
        }
      },
    ),
    runs(400),
  )
})
