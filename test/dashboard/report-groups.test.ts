import { expect, test } from 'vitest'
import {
  describeGroup,
  type Grouping,
  groupKeys,
  listGroupings,
  nextYearKey,
  toGroupFilter,
} from '../../src/dashboard/reports/grouping.ts'
import { daysBefore, reportDays } from '../../src/dashboard/reports/period-days.ts'
import { addEmptyGroups, sortKeys } from '../../src/dashboard/reports/sort-groups.ts'

const today = '2026-11-22'

const groupings = listGroupings([
  { name: 'start', label: 'Start', type: 'time' },
  { name: 'dob', label: 'Date of birth', type: 'date' },
  { name: 'date', label: 'Date', type: 'date' },
])

function grouping(name: string): Grouping {
  const known = groupings.find((it) => it.name === name)
  if (!known) throw new Error(`There is no ${name}.`)
  return known
}

test('dates have groups by unit, and dates of birth also by age', () => {
  expect(groupings.map(({ name, label }) => `${name}: ${label}`)).toEqual([
    ...['start~month: Month (Start)', 'start~quarter: Quarter (Start)', 'start~year: Year (Start)'],
    'dob~age: Age group',
    ...['month', 'quarter', 'year'].map(
      (unit) => `dob~${unit}: ${unit.charAt(0).toUpperCase()}${unit.slice(1)} (Date of birth)`,
    ),
    ...['date~month: Month', 'date~quarter: Quarter', 'date~year: Year'],
  ])
})

test('every date is in the range of its group, and the days around the range are in others', () => {
  const names = ['date~month', 'date~quarter', 'date~year', 'dob~age']
  for (const name of names) {
    const by = grouping(name)
    for (let day = 0; day < 40_000; day += 211) {
      const date = new Date(Date.parse(today) - day * 86_400_000).toISOString().slice(0, 10)
      const key = groupKeys(by, today)(date)
      const { from, to = '' } = toGroupFilter(by, key, today)
      expect([date >= (from ?? ''), date <= to], `${name} ${date}`).toEqual([true, true])
      const around = [from && dayAfter(from, -1), to < today && dayAfter(to, 1)]
      for (const other of around) if (other) expect(groupKeys(by, today)(other)).not.toBe(key)
    }
  }
})

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

test.each([
  ['date~month', '2026-03-31', 'Mar 2026'],
  ['date~quarter', '2026-03-31', 'Jan to Mar 2026'],
  ['date~quarter', '2026-10-01', 'Oct to Dec 2026'],
  ['date~year', '2026-10-01', '2026'],
  ['date~year', 'soon', 'No date'],
  // A time shortly before midnight in UTC is on the next day in British summer time.
  ['start~month', '2026-06-30T23:30:00.000Z', 'Jul 2026'],
  ['dob~age', '2001-11-22', '25 to 34'],
  ['dob~age', '2001-11-23', '18 to 24'],
  ['dob~age', '2020-02-29', 'Under 16'],
  ['dob~age', '1930-01-01', '75 and over'],
  ['dob~age', '2030-01-01', 'No date of birth'],
])('by %s, %s is in %s', (name, value, label) => {
  expect(describeGroup(grouping(name), groupKeys(grouping(name), today)(value))).toBe(label)
})

test('dates are in order without gaps, and ages in order', () => {
  const by = grouping('date~quarter')
  const all = addEmptyGroups(by, ['', '2026-Q2', '2025-Q3'])
  const keys = sortKeys(by, new Map(all.map((key) => [key, 1])))
  expect(keys).toEqual(['2025-Q3', '2025-Q4', '2026-Q1', '2026-Q2', ''])
  expect(keys.map((key) => nextYearKey(by, key)).slice(0, 2)).toEqual(['2026-Q3', '2026-Q4'])
  expect(
    sortKeys(
      grouping('dob~age'),
      new Map([
        ['16', 1],
        ['0', 9],
        ['75', 3],
      ]),
    ),
  ).toEqual([...['0', '16', '75']])
})

test('a comparison ends today in both years, and its months are whole', () => {
  expect(reportDays('this-year', today, false)).toEqual({ from: '2026-01-01', to: '2026-12-31' })
  expect(reportDays('this-year', today, true)).toEqual({ from: '2026-01-01', to: today })
  expect(daysBefore('this-year', today)).toEqual({ from: '2025-01-01', to: '2025-11-22' })
  expect(daysBefore(undefined, today)).toEqual({ to: '2025-11-22' })
  expect(daysBefore('last-month', '2029-03-31')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
})
