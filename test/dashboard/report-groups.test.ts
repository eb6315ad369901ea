import { expect, test } from 'vitest'
import { firstAges } from '../../src/dashboard/reports/age-groups.ts'
import {
  describeGroup,
  type Grouping,
  listGroupings,
  nextYearKey,
  toGroupFilter,
} from '../../src/dashboard/reports/grouping.ts'
import { daysBefore, reportDays } from '../../src/dashboard/reports/period-days.ts'
import { addEmptyGroups, sortKeys } from '../../src/dashboard/reports/sort-groups.ts'
import { findBucket } from '../../src/model/summary/buckets.ts'

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

/** The key of the group of a date, as a summary has it. */
const keyOf = ({ bucket }: Grouping, value: string) =>
  (bucket && findBucket(bucket, value, { today, bands: firstAges })) ?? ''

test('dates have groups by unit, and dates of birth also by age', () => {
  const units = {
    month: 'Month',
    quarter: 'Quarter',
    year: 'Year',
    financialYear: 'Financial year',
    week: 'Week',
    day: 'Day',
    weekday: 'Day of the week',
  }
  expect(groupings.map(({ name, label }) => `${name}: ${label}`)).toEqual([
    ...Object.entries(units).map(([unit, label]) => `start~${unit}: ${label} (Start)`),
    'dob~age: Age group',
    ...Object.entries(units).map(([unit, label]) => `dob~${unit}: ${label} (Date of birth)`),
    ...Object.entries(units).map(([unit, label]) => `date~${unit}: ${label}`),
  ])
})

test('every date is in the range of its group, and the days around the range are in others', () => {
  const names = ['month', 'quarter', 'year', 'financialYear', 'week', 'day'].map(
    (unit) => `date~${unit}`,
  )
  for (const name of [...names, 'dob~age']) {
    const by = grouping(name)
    for (let day = 0; day < 40_000; day += 211) {
      const date = new Date(Date.parse(today) - day * 86_400_000).toISOString().slice(0, 10)
      const key = keyOf(by, date)
      const { from, to = '' } = toGroupFilter(by, key, today) ?? {}
      expect([date >= (from ?? ''), date <= to], `${name} ${date}`).toEqual([true, true])
      const around = [from && dayAfter(from, -1), to < today && dayAfter(to, 1)]
      for (const other of around) if (other) expect(keyOf(by, other)).not.toBe(key)
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
  ['date~financialYear', '2026-03-31', '2025/26'],
  ['date~week', '2027-01-03', 'Week of 28 Dec 2026'],
  ['date~day', '2026-10-01', '1 Oct 2026'],
  ['date~weekday', '2026-11-22', 'Sunday'],
  ['date~weekday', '2026-11-23', 'Monday'],
  // A time shortly before midnight in UTC is on the next day in British summer time.
  ['start~month', '2026-06-30T23:30:00.000Z', 'Jul 2026'],
  ['dob~age', '2001-11-22', '25 to 34'],
  ['dob~age', '2001-11-23', '18 to 24'],
  ['dob~age', '2020-02-29', 'Under 16'],
  ['dob~age', '1930-01-01', '75 and over'],
  ['dob~age', '2030-01-01', 'No date of birth'],
])('by %s, %s is in %s', (name, value, label) => {
  expect(describeGroup(grouping(name), keyOf(grouping(name), value))).toBe(label)
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
        ['16-17', 1],
        ['0-15', 9],
        ['75+', 3],
      ]),
    ),
  ).toEqual([...['0-15', '16-17', '75+']])
})

test('weeks and days have no gaps, and days of the week have no range of days', () => {
  const days = addEmptyGroups(grouping('date~day'), ['2026-02-27', '2026-03-01'])
  expect(days.toSorted()).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  const weeks = addEmptyGroups(grouping('date~week'), ['2026-W52', '2027-W01'])
  expect(weeks.toSorted()).toEqual(['2026-W52', '2026-W53', '2027-W01'])
  const by = grouping('date~weekday')
  expect(addEmptyGroups(by, ['1', '3'])).toEqual(['1', '3'])
  expect(toGroupFilter(by, '1', today)).toBeUndefined()
  expect(nextYearKey(by, '1')).toBe('1')
})

test('a comparison ends today in both years, and its months are whole', () => {
  expect(reportDays('this-year', today, false)).toEqual({ from: '2026-01-01', to: '2026-12-31' })
  expect(reportDays('this-year', today, true)).toEqual({ from: '2026-01-01', to: today })
  expect(daysBefore('this-year', today)).toEqual({ from: '2025-01-01', to: '2025-11-22' })
  expect(daysBefore(undefined, today)).toEqual({ to: '2025-11-22' })
  expect(daysBefore('last-month', '2029-03-31')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
})
