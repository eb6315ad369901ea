import { expect, test } from 'vitest'
import { formatMonth } from '../../src/dashboard/overview/people-figures.ts'
import { formatNumber } from '../../src/platform/format-number.ts'

test('numbers and months look as Intl formats them', () => {
  const numbers = [0, 7, 999, 1000, 50_000, 999_999, 1_234_567, -1000, 1234.5, 2 ** 60, Number.NaN]
  expect(numbers.map(formatNumber)).toEqual(numbers.map((it) => it.toLocaleString('en-GB')))
  const months = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2026, index)))
  const options = { month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  expect(months.map((month) => formatMonth(month.toISOString().slice(0, 7)))).toEqual(
    months.map((month) => month.toLocaleDateString('en-GB', options)),
  )
})
