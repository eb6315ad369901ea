import { expect, test } from 'vitest'
import {
  formatDay,
  formatMoment,
  formatMonth,
  formatMonths,
  formatPeriod,
  formatShortDay,
  formatShortMoment,
  formatTime,
} from '../../src/model/dates.ts'

test('an event has the same time in every form', () => {
  const start = '2026-12-19T14:00:00.000Z'
  expect(formatTime(start)).toBe('2pm')
  expect(formatMoment(start)).toBe('Saturday 19 December 2026, 2pm')
  expect(formatShortMoment(start)).toBe('19 Dec 2026, 2pm')
  expect(formatPeriod(start, '2026-12-19T15:30:00.000Z')).toEqual([
    'Saturday 19 December 2026',
    '2pm to 3:30pm',
  ])
})

test.each([
  ['2026-07-01T00:30:00.000Z', '1:30am'],
  ['2026-07-01T11:00:00.000Z', 'midday'],
  ['2026-07-01T23:00:00.000Z', 'midnight'],
  ['2026-07-01T23:05:00.000Z', '12:05am'],
  ['2026-10-25T00:30:00.000Z', '1:30am BST'],
  ['2026-10-25T01:30:00.000Z', '1:30am GMT'],
  ['2026-10-25T02:30:00.000Z', '2:30am'],
])('%s is %s in the United Kingdom', (time, words) => {
  expect(formatTime(time)).toBe(words)
})

test('days and months have a long and a short form', () => {
  expect(formatDay('2024-02-29')).toBe('Thursday 29 February 2024')
  expect(formatShortDay('2024-02-29')).toBe('29 Feb 2024')
  expect(formatMonth('2026-05')).toBe('May 2026')
  expect(formatMonths('2026', 3)).toBe('Mar 2026')
  expect(formatMonths('2026', 1, 3)).toBe('Jan to Mar 2026')
})

test('another text stays as it is', () => {
  for (const format of [formatDay, formatShortDay, formatMoment, formatShortMoment])
    expect(format('next week')).toBe('next week')
})
