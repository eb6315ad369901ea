import { expect, test } from 'vitest'
import type { FilterProperty } from '../../src/dashboard/filters/filter.ts'
import {
  describeFilter,
  formatFilters,
  parseListFilters,
  toFilterExpression,
} from '../../src/dashboard/filters/filters.ts'
import { type Period, periodDays } from '../../src/dashboard/filters/periods.ts'

const properties: FilterProperty[] = [
  { name: 'Joined', label: 'Joined', type: 'date' },
  { name: 'start', label: 'Starts', type: 'time' },
  { name: 'Age', label: 'Age', type: 'number' },
  { name: 'amount', label: 'Amount', type: 'number', format: 'money' },
  { name: 'Consent', label: 'Consent', type: 'boolean' },
  { name: 'Gender', label: 'Gender', type: 'option', options: [{ value: 'W', label: 'Woman' }] },
  { name: 'status', label: 'Status', type: 'text', format: 'code' },
  { name: 'event.tags', label: 'Event tags', type: 'list' },
  { name: 'Name', label: 'Name', type: 'text' },
  { name: 'A~from', label: 'Odd name', type: 'text' },
]

const parse = (query: string) => parseListFilters(new URLSearchParams(query), properties)

test.each([
  ['Joined~period=last-quarter', 'Joined last quarter'],
  ['Joined~from=1+Jul+2026&Joined~to=2026-09-30', 'Joined 1 Jul 2026 to 30 Sep 2026'],
  ['Joined=14+Mar+2026', 'Joined: 14 Mar 2026'],
  ['start=14+Mar+2026%2C+09%3A30', 'Starts: 14 Mar 2026, 9:30am'],
  ['start=14+Mar+2026%2C+2pm', 'Starts: 14 Mar 2026, 2pm'],
  ['start=14+Mar+2026%2C+midday', 'Starts: 14 Mar 2026, midday'],
  ['Age~from=18', 'Age from 18'],
  ['amount=%C2%A31%2C250', 'Amount: £1,250'],
  ['amount~to=%C2%A31%2C250.50', 'Amount to £1,250.50'],
  ['Consent=yes', 'Consent: Yes'],
  ['Gender=woman', 'Gender: Woman'],
  ['status=Fully+paid', 'Status: Fully paid'],
  ['event.tags=Food', 'Event tags: Food'],
  ['event.tags=Food&event.tags~is=Music', 'Event tags: 2'],
  ['event.tags=', 'Event tags: no value'],
  ['Name~contains=abar', 'Name contains “abar”'],
  ['A~from=x', 'Odd name: x'],
])('%s is described in words, also after formatting', (query, words) => {
  const { filters, errors } = parse(query)
  expect(errors).toEqual([])
  expect(filters.map(describeFilter)).toEqual([words])
  const again = parse(String(formatFilters(filters)))
  expect(again).toEqual({ filters, errors: [] })
})

test('an invalid filter is an error in words, and empty conditions and page parameters are ignored', () => {
  const query =
    'Nothing=1&Age=old&Joined~period=ever&Name~like=x&Age~from=&Age~is=&$size=50&Age~to=9'
  const { filters, errors } = parse(query)
  expect(filters.map(describeFilter)).toEqual(['Age to 9'])
  expect(errors).toEqual([
    { name: 'Nothing', message: 'This list has no such field.' },
    { name: 'Age', message: '“old” is not a number, such as 1,250.' },
    { name: 'Joined', message: '“ever” is not a period.' },
    {
      name: 'Name',
      message:
        '“like” is not a condition: use tag, least, is, from, to, period, minage, maxage, contains or known.',
    },
  ])
})

test('filters become conditions on stored values, with days in UK time', () => {
  const expression = (query: string) => toFilterExpression(parse(query).filters, '2026-11-22')
  expect(expression('')).toBeUndefined()
  expect(expression('Joined~period=last-quarter')).toEqual({
    and: [
      { name: 'Joined', operator: 'ge', literal: { type: 'date', value: '2026-07-01' } },
      { name: 'Joined', operator: 'le', literal: { type: 'date', value: '2026-09-30' } },
    ],
  })
  expect(expression('start~period=last-quarter')).toEqual({
    and: [
      {
        name: 'start',
        operator: 'ge',
        literal: { type: 'time', value: '2026-06-30T23:00:00.000Z' },
      },
      {
        name: 'start',
        operator: 'lt',
        literal: { type: 'time', value: '2026-09-30T23:00:00.000Z' },
      },
    ],
  })
  expect(expression('Name=Amara&Name=')).toEqual({
    or: [
      { name: 'Name', literals: [{ type: 'text', value: 'Amara' }] },
      { name: 'Name', operator: 'eq', literal: { type: 'null', value: null } },
      { name: 'Name', operator: 'eq', literal: { type: 'text', value: '' } },
    ],
  })
  expect(expression('status=Fully+paid')).toMatchObject({
    fieldFunction: 'tolower',
    literals: expect.arrayContaining([{ type: 'text', value: 'Fully_paid' }]),
  })
})

test.each([
  ['this-month', '2026-11-22', '2026-11-01', '2026-11-30'],
  ['last-month', '2026-01-31', '2025-12-01', '2025-12-31'],
  ['this-quarter', '2026-11-22', '2026-10-01', '2026-12-31'],
  ['last-quarter', '2026-02-01', '2025-10-01', '2025-12-31'],
  ['this-year', '2026-11-22', '2026-01-01', '2026-12-31'],
  ['last-year', '2026-11-22', '2025-01-01', '2025-12-31'],
  ['last-12-months', '2026-11-22', '2025-12-01', '2026-11-22'],
  ['last-12-months', '2028-02-29', '2027-03-01', '2028-02-29'],
] as [Period, string, string, string][])('%s on %s', (period, today, from, to) => {
  expect(periodDays(period, today)).toEqual({ from, to })
})
