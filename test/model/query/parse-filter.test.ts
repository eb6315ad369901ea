import { expect, test } from 'vitest'
import { ApiError } from '../../../src/model/api-error.ts'
import { parseFilter } from '../../../src/model/query/parse-filter.ts'
import { parseNames, parseOrder } from '../../../src/model/query/parse-names.ts'

const text = (value: string) => ({ type: 'text', value })
const eq = (name: string, value = 'x') => ({ name, operator: 'eq', literal: text(value) })
const isTrue = (name: string) => ({
  ...{ name, operator: 'eq', literal: { type: 'boolean', value: true } },
})

/** Returns the message of the error that a parser throws. */
function messageOf(parse: () => unknown): string {
  try {
    parse()
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
  return 'no error'
}

test.each<[string, object]>([
  ["name eq 'x'", eq('name')],
  ["  name   eq\t'x' ", eq('name')],
  ["'x' eq name", eq('name')],
  ["name eq 'O''Brien'", eq('name', "O'Brien")],
  ["name eq ''", eq('name', '')],
  [`"Full Name" eq 'x'`, eq('Full Name')],
  [`"a ""b"" c" eq 'x'`, eq('a "b" c')],
  [`"not" eq 'x'`, eq('not')],
  ["venue.post-code_2 eq 'x'", eq('venue.post-code_2')],
  ["étage eq 'x'", eq('étage')],
  ["in eq 'x'", eq('in')],
  ['a gt 3.5', { name: 'a', operator: 'gt', literal: { type: 'number', value: 3.5 } }],
  ['-1e2 gt a', { name: 'a', operator: 'lt', literal: { type: 'number', value: -100 } }],
  ['0 le a', { name: 'a', operator: 'ge', literal: { type: 'number', value: 0 } }],
  ['a EQ True', { name: 'a', operator: 'eq', literal: { type: 'boolean', value: true } }],
  ['a ne null', { name: 'a', operator: 'ne', literal: { type: 'null', value: null } }],
  [
    'a lt 2026-01-31',
    { name: 'a', operator: 'lt', literal: { type: 'date', value: '2026-01-31' } },
  ],
  [
    'a lt 2026-01-31T10:00:00+01:00',
    { name: 'a', operator: 'lt', literal: { type: 'time', value: '2026-01-31T09:00:00.000Z' } },
  ],
  ["a in ('x', 'y')", { name: 'a', literals: [text('x'), text('y')] }],
  ["tolower(a) in ('x')", { name: 'a', literals: [text('x')], fieldFunction: 'tolower' }],
  ["tolower(a) eq 'X'", { ...eq('a', 'X'), fieldFunction: 'tolower' }],
  ["a eq tolower('XÉ')", eq('a', 'xÉ')],
  ["contains(a,'x')", { ...eq('a'), operator: 'contains' }],
  [
    "startswith(tolower(a), tolower('X'))",
    { ...eq('a'), operator: 'startswith', fieldFunction: 'tolower' },
  ],
  ["a eq 'x' and b eq 'x' or c eq 'x'", { or: [{ and: [eq('a'), eq('b')] }, eq('c')] }],
  ["a eq 'x' and (b eq 'x' or c eq 'x')", { and: [eq('a'), { or: [eq('b'), eq('c')] }] }],
  ["not a eq 'x' and b eq 'x'", { and: [{ not: eq('a') }, eq('b')] }],
  ['a and not (b or c)', { and: [isTrue('a'), { not: { or: [isTrue('b'), isTrue('c')] } }] }],
  ['a/any()', { name: 'a', operator: 'ne', literal: { type: 'null', value: null } }],
  [
    "not a/any(it:it eq 'x' or startswith(tolower(it),'x')) and b eq 'x'",
    {
      and: [
        {
          not: { or: [eq('a'), { ...eq('a'), operator: 'startswith', fieldFunction: 'tolower' }] },
        },
        eq('b'),
      ],
    },
  ],
  ["not(not endswith(a,'x'))", { not: { not: { ...eq('a'), operator: 'endswith' } } }],
])('%s is parsed', (filter, expected) => {
  expect(parseFilter(filter)).toEqual(expected)
})

const value = "expected a value, such as 'Food', 3.5, 2026-01-31, true or null,"
const deep = (depth: number) => `${'('.repeat(depth)}a eq 1${')'.repeat(depth)}`
const many = (count: number) => Array.from({ length: count }, () => 'a eq 1').join(' or ')
const list = (count: number) => `a in (${Array.from({ length: count }, () => '1').join()})`

test.each<[string, string]>([
  ['', 'expected a field, or contains, startswith or endswith at the end.'],
  ["'name'", 'expected eq, ne, gt, ge, lt, le or in at the end.'],
  ["a/any(it:b eq 'x')", 'expected it at character 10.'],
  ["a/any(it:it/b eq 'x')", 'expected it at character 10.'],
  ['a/any(it:it/any())', 'expected a comparison at character 10.'],
  ...["it ne 'x'", 'it eq null', "not (it eq 'x')", "it gt 'x' and it lt 'y'"].map(
    (condition): [string, string] => [
      `a/any(it:${condition})`,
      'expected comparisons by other operators than ne, combined by or only, at character 10.',
    ],
  ),
  ["a/all(it:it eq 'x')", 'expected contains, startswith, endswith or tolower at character 1.'],
  ['name is null', 'expected eq, ne, gt, ge, lt, le or in at character 6.'],
  ['name eq Ada', `${value} at character 9.`],
  ["name eq 'Ada", 'expected a closing quotation mark for the one at character 9.'],
  ["name eq 'x' name", 'expected and, or, or the end at character 13.'],
  ["(name eq 'x'", 'expected and, or, or ) at the end.'],
  ["name eq 'x')", 'expected and, or, or the end at character 12.'],
  ['contains(name,5)', "expected a text, such as 'Food', at character 15."],
  ["contains('x',name)", 'expected a field at character 10.'],
  ['tolower(5) eq name', "expected a field or a text, such as 'Food', at character 9."],
  ['year(start) eq 2026', 'expected contains, startswith, endswith or tolower at character 1.'],
  ["name in 'x'", 'expected ( at character 9.'],
  ["name in ('x' 'y')", 'expected a comma or ) at character 14.'],
  ["1 eq '1'", 'expected a field at character 6.'],
  [
    'day eq 2026-02-30',
    'expected a real date or time, such as 2026-01-31 or 2026-01-31T09:30:00Z, at character 8.',
  ],
  ['a eq 1e999', 'expected a smaller number at character 6.'],
  ['a eq 1b', 'expected a space, a comma or a parenthesis at character 7.'],
  ['a eq 1 & 2', 'cannot read the text at character 8.'],
  [deep(21), 'must be nested at most 20 times.'],
  [`${'not '.repeat(21)}a eq 1`, 'must be nested at most 20 times.'],
  [many(101), 'must have at most 100 comparisons.'],
  [list(251), 'must have at most 250 values after in.'],
  [`a eq '${'x'.repeat(4090)}'`, 'must have at most 4096 characters.'],
])('%s is refused with the position of its error', (filter, message) => {
  expect(messageOf(() => parseFilter(filter))).toBe(`$filter: ${message}`)
})

test('filters at the limits are parsed', () => {
  for (const filter of [deep(20), many(100), list(250), `a eq '${'x'.repeat(4089)}'`])
    expect(() => parseFilter(filter)).not.toThrow()
})

test('names are converted unless they are quoted', () => {
  const toFieldName = (name: string) => name.replaceAll('/', '.')
  expect(parseFilter(`venue/name eq 'x' or "a/b" eq 'x'`, { toFieldName })).toEqual({
    or: [eq('venue.name'), eq('a/b')],
  })
  expect(parseOrder('venue/name desc', toFieldName)).toEqual([
    { name: 'venue.name', isDescending: true },
  ])
})

test('an order has up to three fields, and a selection up to 250', () => {
  expect(parseOrder('a, "Full Name" desc ,desc asc')).toEqual([
    { name: 'a', isDescending: false },
    { name: 'Full Name', isDescending: true },
    { name: 'desc', isDescending: false },
  ])
  expect(messageOf(() => parseOrder('a,b,c,d'))).toBe('$orderby: must have at most 3 fields.')
  expect(messageOf(() => parseOrder('a down'))).toBe(
    '$orderby: expected a comma or the end at character 3.',
  )
  expect(messageOf(() => parseOrder('a,'))).toBe('$orderby: expected a field at the end.')
  expect(parseNames('$select', '"Full Name",Email')).toEqual(['Full Name', 'Email'])
  expect(messageOf(() => parseNames('$select', '*'))).toBe(
    '$select: cannot read the text at character 1.',
  )
  expect(messageOf(() => parseNames('$select', `a${',a'.repeat(250)}`))).toBe(
    '$select: must have at most 250 names.',
  )
})
