import { expect, test } from 'vitest'
import { asOf, movedTo } from '../../../cli/demo.ts'
import { demo } from './records.ts'

const day = 24 * 60 * 60 * 1000
const dayAfter = (from: string, days: number) =>
  new Date(Date.parse(from) + days * day).toISOString().slice(0, 10)

const years = Array.from({ length: 10 * 366 }, (_, days) => dayAfter(asOf, days))

test('what is planned is to come, and the rest is past, on any day of ten years', () => {
  const starts = demo.events.filter(({ recurrence }) => !recurrence.recurring)
  const [over, planned] = [true, false].map((isOver) =>
    starts
      .filter(({ concluded }) => (concluded !== null) === isOver)
      .map(({ start }) => start ?? ''),
  )
  const [lastOver = '', firstPlanned = ''] = [over?.toSorted().at(-1), planned?.toSorted()[0]]
  expect(planned?.length).toBeGreaterThan(10)
  for (const today of years) {
    expect(movedTo(today, lastOver).slice(0, 10) <= today).toBe(true)
    expect(movedTo(today, firstPlanned).slice(0, 10) > today).toBe(true)
  }
})

test('a payment is scheduled for a day to come, and made on one that is past', () => {
  for (const { status, dates } of demo.disbursements) {
    expect(dates.processed !== null).toBe(status === 'PAID' || status === 'FAILED')
    expect((dates.processed ?? '').slice(0, 10) <= asOf).toBe(true)
    if (status === 'SCHEDULED') {
      expect((dates.scheduled ?? '') > dayAfter(asOf, 7)).toBe(true)
    }
  }
})

test('dates move by whole weeks and keep their weekdays, whatever stands around them', () => {
  const text =
    '{"start":"2026-11-10T09:30Z","rrule":"FREQ=WEEKLY;UNTIL=20261219T235959Z"}\n07700 900123,2023-05-31'
  expect(movedTo(dayAfter(asOf, 6), text)).toBe(text)
  expect(movedTo(dayAfter(asOf, 7), text)).toBe(
    '{"start":"2026-11-17T09:30Z","rrule":"FREQ=WEEKLY;UNTIL=20261226T235959Z"}\n07700 900123,2023-06-07',
  )
  expect(movedTo('2028-03-01', asOf)).toBe('2028-02-29')
  for (const today of years) {
    const moved = movedTo(today, asOf)
    expect(new Date(moved).getUTCDay()).toBe(new Date(asOf).getUTCDay())
    expect(moved <= today && dayAfter(moved, 7) > today).toBe(true)
  }
})
