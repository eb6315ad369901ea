import { expect, test } from 'vitest'
import { demoDate, moveDates } from '../../../src/admin/move-dates.ts'
import { demo } from './records.ts'

const day = 24 * 60 * 60 * 1000
const dayAfter = (from: string, days: number) =>
  new Date(Date.parse(from) + days * day).toISOString().slice(0, 10)

const years = Array.from({ length: 10 * 366 }, (_, days) => dayAfter(demoDate, days))

test('planned dates are in the future and others in the past, on any day of ten years', () => {
  const starts = demo.events.filter(({ recurrence }) => !recurrence.recurring)
  const [over, planned] = [true, false].map((isOver) =>
    starts
      .filter(({ concluded }) => (concluded !== null) === isOver)
      .map(({ start }) => start ?? ''),
  )
  const [lastOver = '', firstPlanned = ''] = [over?.toSorted().at(-1), planned?.toSorted()[0]]
  expect(planned?.length).toBeGreaterThan(10)
  for (const today of years) {
    expect(moveDates(today, lastOver).slice(0, 10) <= today).toBe(true)
    expect(moveDates(today, firstPlanned).slice(0, 10) > today).toBe(true)
  }
})

test('scheduled payments are in the future, and made payments in the past', () => {
  for (const { status, dates } of demo.disbursements) {
    expect(dates.processed !== null).toBe(status === 'PAID' || status === 'FAILED')
    expect((dates.processed ?? '').slice(0, 10) <= demoDate).toBe(true)
    if (status === 'SCHEDULED') {
      expect((dates.scheduled ?? '') > dayAfter(demoDate, 7)).toBe(true)
    }
  }
})

test('dates move by whole weeks and keep their weekdays in any text', () => {
  const text =
    '{"start":"2026-11-10T09:30Z","rrule":"FREQ=WEEKLY;UNTIL=20261219T235959Z"}\n07700 900123,2023-05-31'
  expect(moveDates(dayAfter(demoDate, 6), text)).toBe(text)
  expect(moveDates(dayAfter(demoDate, 7), text)).toBe(
    '{"start":"2026-11-17T09:30Z","rrule":"FREQ=WEEKLY;UNTIL=20261226T235959Z"}\n07700 900123,2023-06-07',
  )
  expect(moveDates('2028-03-01', demoDate)).toBe('2028-02-29')
  for (const today of years) {
    const moved = moveDates(today, demoDate)
    expect(new Date(moved).getUTCDay()).toBe(new Date(demoDate).getUTCDay())
    expect(moved <= today && dayAfter(moved, 7) > today).toBe(true)
  }
})
