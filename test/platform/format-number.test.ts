import { expect, test } from 'vitest'
import { formatNumber } from '../../src/platform/format-number.ts'

test('numbers look as Intl formats them', () => {
  const numbers = [0, 7, 999, 1000, 50_000, 999_999, 1_234_567, -1000, 1234.5, 2 ** 60, Number.NaN]
  expect(numbers.map(formatNumber)).toEqual(numbers.map((it) => it.toLocaleString('en-GB')))
})
