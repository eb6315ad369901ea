import { expect, test } from 'vitest'
import {
  describeDay,
  describeFrequency,
  describeRepetition,
  listDays,
  maxDates,
  type Repetition,
  toRecurrence,
} from '../../src/model/repetition.ts'

const three = { count: 3 }

test.each<[string, Repetition, string, string, string[]]>([
  [
    '2027-01-09',
    { unit: 'week', every: 2, end: three },
    'Every second week on Saturday',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA;COUNT=3',
    ['2027-01-09', '2027-01-23', '2027-02-06'],
  ],
  [
    '2028-02-28',
    { unit: 'day', every: 1, end: { until: '2028-03-01' } },
    'Every day',
    'FREQ=DAILY;UNTIL=20280301T235959Z',
    ['2028-02-28', '2028-02-29', '2028-03-01'],
  ],
  [
    '2027-01-09',
    { unit: 'weekday of the month', every: 1, end: three },
    'Every month on the second Saturday',
    'FREQ=MONTHLY;BYDAY=2SA;COUNT=3',
    ['2027-01-09', '2027-02-13', '2027-03-13'],
  ],
  [
    '2027-01-30',
    { unit: 'weekday of the month', every: 1, end: three },
    'Every month on the last Saturday',
    'FREQ=MONTHLY;BYDAY=-1SA;COUNT=3',
    ['2027-01-30', '2027-02-27', '2027-03-27'],
  ],
  [
    '2027-01-31',
    { unit: 'month', every: 1, end: three },
    'Every month on day 31',
    'FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3',
    ['2027-01-31', '2027-03-31', '2027-05-31'],
  ],
  [
    '2027-11-30',
    { unit: 'month', every: 5, end: { until: '2028-10-01' } },
    'Every 5th month on day 30',
    'FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=30;UNTIL=20281001T235959Z',
    ['2027-11-30', '2028-04-30', '2028-09-30'],
  ],
])('from %s, %o is %s', (first, repetition, words, rrule, days) => {
  const inWords = `${describeFrequency(repetition)} ${describeDay(first, repetition.unit)}`
  expect(inWords.trim()).toBe(words)
  expect(toRecurrence(first, repetition)).toMatchObject({ recurring: true, rrule })
  expect(listDays(first, repetition)).toEqual(days)
})

test('a series without a near end has one date too many', () => {
  const end = { until: '2999-01-01' }
  expect(listDays('2027-01-09', { unit: 'day', every: 1, end })).toHaveLength(maxDates + 1)
})

test.each([
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270413T235959Z',
    'Every second week on Tuesday until 13 Apr 2027',
  ],
  ['FREQ=WEEKLY;INTERVAL=4;COUNT=14', 'Every fourth week on 14 dates'],
  ['FREQ=WEEKLY;BYDAY=MO,WE,FR', 'Every week on Monday, Wednesday and Friday'],
  ['FREQ=MONTHLY;BYDAY=-1SA;COUNT=3', 'Every month on the last Saturday on 3 dates'],
  ['FREQ=MONTHLY;BYMONTHDAY=31', 'Every month on day 31'],
  ['FREQ=DAILY', 'Every day'],
  ['FREQ=YEARLY;BYMONTH=3', 'FREQ=YEARLY;BYMONTH=3'],
  ['FREQ=MONTHLY;BYDAY=5SA', 'FREQ=MONTHLY;BYDAY=5SA'],
  ['every other Tuesday', 'every other Tuesday'],
])('the rule %s is %s', (rule, words) => {
  expect(describeRepetition(rule)).toBe(words)
})
