import { describe, expect, test } from 'vitest'
import { cutoffDate, isBefore } from '../../src/model/age.ts'
import { Age } from '../../src/model/age-input.ts'

test.each([
  ['7 years', '2027-05-06', '2020-05-06'],
  // 29 February is seven years old at the end of 28 February.
  ['7 years', '2027-02-28', '2020-02-28'],
  ['7 years', '2027-03-01', '2020-03-01'],
  ['7 years', '2028-02-29', '2021-02-28'],
  ['4 years', '2028-02-29', '2024-02-29'],
  ['1 month', '2027-03-31', '2027-02-28'],
  ['1 month', '2027-03-01', '2027-02-01'],
  ['18 months', '2027-01-15', '2025-07-15'],
  ['12 months', '2027-12-31', '2026-12-31'],
  ['90 days', '2027-03-01', '2026-12-01'],
  ['365 days', '2025-01-01', '2024-01-02'],
])('records older than %s on %s are dated before %s', (age, today, before) => {
  expect(cutoffDate(age, today)).toBe(before)
})

test('a record stays a year old on every later day', () => {
  const day = 86_400_000
  const from = Date.UTC(2023, 0, 1)
  const days = Array.from({ length: 4 * 366 }, (_, index) =>
    new Date(from + index * day).toISOString().slice(0, 10),
  )
  const befores = days.map((today) => cutoffDate('1 year', today))
  expect(befores).toEqual(befores.toSorted())
  for (const [index, before] of befores.entries())
    expect(new Date(before).getTime()).toBeLessThanOrEqual(
      new Date(String(days[index])).getTime() - 365 * day,
    )
})

describe('an age', () => {
  test.each([
    ['7 years', '7 years'],
    ['1 years', '1 year'],
    [' 18 month ', '18 months'],
    ['3650 days', '3650 days'],
  ])('%j is %s', (text, age) => expect(Age.parse(text)).toBe(age))

  test.each([
    '',
    '7',
    'years',
    '0 days',
    '-1 year',
    '1.5 years',
    '9999 years',
    '7 weeks',
    '7 Years',
  ])('is not %j', (text) => expect(Age.safeParse(text).success).toBe(false))
})

test.each([
  ['2020-05-05', '2020-05-04', true],
  ['2020-05-05', '2020-05-05', false],
  // In summer, midnight in the United Kingdom is 23:00 in UTC.
  ['2020-05-05', '2020-05-04T22:59:59.999Z', true],
  ['2020-05-05', '2020-05-04T23:00:00.000Z', false],
  ['2020-01-05', '2020-01-04T23:59:59.999Z', true],
  ['2020-01-05', '2020-01-05T00:00:00.000Z', false],
  ['2020-05-05', '', undefined],
  ['2020-05-05', '04/05/2019', undefined],
  ['2020-05-05', '2019', undefined],
  ['2020-05-05', null, undefined],
  ['2020-05-05', 20_190_101, undefined],
])('before %s in the United Kingdom is %j: %s', (day, value, expected) => {
  expect(isBefore(day, value)).toBe(expected)
})
