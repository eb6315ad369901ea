import { expect, test } from 'vitest'
import { londonDay } from '../../src/model/timestamp.ts'

const format = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' })

test.each(['1943-07-10', '1970-01-10', '1972-07-10', '2026-01-10', '2026-07-10', '2026-12-31'])(
  'the UK day of every hour of %s is that of the time zone',
  (day) => {
    for (let hour = 0; hour < 24; hour++) {
      const time = `${day}T${String(hour).padStart(2, '0')}:59:59.999Z`
      expect([time, londonDay(time)]).toEqual([time, format.format(new Date(time))])
    }
  },
)

test('no time has no day', () => {
  expect(londonDay('')).toBe('')
})
