import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseBoolean } from '../../../src/import/parse/booleans.ts'
import { parseDate, parseSerialDate } from '../../../src/import/parse/dates.ts'
import { parseNumber } from '../../../src/import/parse/numbers.ts'
import { formatShortMoment } from '../../../src/model/dates.ts'
import { TimeZone } from '../../../src/platform/time-zone.ts'
import { runs } from '../../runs.ts'

const london = new TimeZone('Europe/London')

describe('dates', () => {
  test.each([
    ['31/12/2025', '2025-12-31', undefined],
    ['12/31/2025', undefined, '2025-12-31'],
    ['3.4.25', '2025-04-03', '2025-03-04'],
    ['31-Dec-95', '1995-12-31', '1995-12-31'],
    ['Monday 3rd March 2025', '2025-03-03', '2025-03-03'],
    ['Dec 31, 2025', '2025-12-31', '2025-12-31'],
    ['2025/1/2', '2025-01-02', '2025-01-02'],
  ])('%s', (cell, dayFirst, monthFirst) => {
    expect(parseDate(cell)).toMatchObject({ 'day-first': dayFirst, 'month-first': monthFirst })
  })

  test.each([
    '31/02/2025',
    '29/02/2023',
    '0/1/2025',
    '1/2',
    '2025',
    '1-2/2025',
    '3 Foo 2025',
    '3 Marble 2025',
    '01/02/2025 25:00',
    '01/02/2025 13:00 pm',
    '01/02/2025 13pm',
    '01/02/2025 14',
    '01/02/2025 14 GMT',
    '01/02/2025 constructor',
    '12345678',
    '1/2/20255',
  ])('%s is none', (cell) => {
    expect(parseDate(cell)).toBeUndefined()
  })

  test.each([
    ['1/2/2025 2:30 PM', '14:30:00.000', undefined],
    ['1/2/2025 12.05am', '00:05:00.000', undefined],
    ['2025-02-01T09:30:15.1234Z', '09:30:15.123', 'Z'],
    ['2025/03/01 9:30:12 AM GMT+1', '09:30:12.000', '+01:00'],
    ['1/2/2025 09:00 BST', '09:00:00.000', '+01:00'],
    ['2025-02-01 09:00:00+05:30', '09:00:00.000', '+05:30'],
    ['19 Dec 2026, 2pm', '14:00:00.000', undefined],
    ['19 Dec 2026 at 12 a.m.', '00:00:00.000', undefined],
    ['25 Oct 2026, 1am GMT', '01:00:00.000', 'Z'],
    ['19 Dec 2026, 2:30pm', '14:30:00.000', undefined],
    ['19 Dec 2026, midday', '12:00:00.000', undefined],
    ['19 Dec 2026 Noon', '12:00:00.000', undefined],
    ['19 Dec 2026, midnight', '00:00:00.000', undefined],
  ])('%s has its time', (cell, time, offset) => {
    expect(parseDate(cell)).toMatchObject({ time, offset })
  })

  test.each(['2026-12-19T14:00', '2026-12-19T00:00', '2026-12-19T12:00', '2026-12-19T23:05'])(
    '%s is read from the form that tables show',
    (local) => {
      const shown = formatShortMoment(`${local}:00.000Z`)
      const parsed = parseDate(shown)
      expect(`${parsed?.['day-first']}T${parsed?.time}`).toBe(`${local}:00.000`)
    },
  )

  test("Excel's numbers are days from 1900 or 1904, where that is sure", () => {
    expect([45658, 45658.5, 61].map((serial) => parseSerialDate(serial))).toEqual([
      '2025-01-01',
      '2025-01-01 12:00:00',
      '1900-03-01',
    ])
    expect(parseSerialDate(44196, true)).toBe('2025-01-01')
    expect([60, -1, 2_958_466, Number.NaN].map((serial) => parseSerialDate(serial))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('local times', () => {
  test('follow summer time', () => {
    expect(london.instant('2025-06-01', '10:00:00.000')).toEqual({
      utc: '2025-06-01T09:00:00.000Z',
    })
    expect(london.instant('2025-12-01', '10:00:00.000')).toEqual({
      utc: '2025-12-01T10:00:00.000Z',
    })
    expect(london.local(Date.parse('2025-06-01T23:30:00Z'))).toBe('2025-06-02T00:30:00.000')
  })

  test('that there are not, or twice, are neither', () => {
    expect(london.instant('2025-03-30', '01:30:00.000')).toEqual({ unclear: 'skipped' })
    expect(london.instant('2025-10-26', '01:30:00.000')).toEqual({
      unclear: 'twice',
      first: '2025-10-26T00:30:00.000Z',
    })
    expect(london.instant('2025-10-26', '02:00:00.000')).toEqual({
      utc: '2025-10-26T02:00:00.000Z',
    })
  })

  test('of the first century are as those before summer time', () => {
    const at = '0050-06-01T10:00:00.000Z'
    expect(london.local(Date.parse(at))).toBe('0050-06-01T09:58:45.000')
    expect(london.instant('0050-06-01', '09:58:45.000')).toEqual({ utc: at })
  })

  test('of every zone come back unchanged', () => {
    const zones = ['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']
    const at = fc.integer({ min: Date.UTC(1975, 0, 1), max: Date.UTC(2037, 0, 1) })
    const known = new Map(zones.map((name) => [name, new TimeZone(name)]))
    fc.assert(
      fc.property(at, fc.constantFrom(...zones), (at, name) => {
        const local = new Intl.DateTimeFormat('sv-SE', {
          timeZone: name,
          dateStyle: 'short',
          timeStyle: 'medium',
        }).format(at)
        const [date = '', time = ''] = local.split(' ')
        const found = known.get(name)?.instant(date, `${time}.000`)
        const second = Math.floor(at / 1000) * 1000
        expect(found).toSatisfy(
          (found: object) =>
            'unclear' in found || ('utc' in found && found.utc === new Date(second).toISOString()),
        )
      }),
      runs(75),
    )
  })
})

describe('numbers', () => {
  const either = (value: number, currency?: string) => ({ '.': value, ',': value, currency })

  test.each([
    ['£1,200.00', { '.': 1200, ',': undefined, currency: 'GBP' }],
    ['1.200,50', { '.': undefined, ',': 1200.5, currency: undefined }],
    ['1,200', { '.': 1200, ',': 1.2, currency: undefined }],
    ['(£5)', either(-5, 'GBP')],
    ['-£5', either(-5, 'GBP')],
    ['12 EUR', either(12, 'EUR')],
    ['0', either(0)],
    ['−7', either(-7)],
  ])('%s', (cell, value) => {
    expect(parseNumber(cell)).toEqual(value)
  })

  test.each([
    '007',
    '0113 496 0000',
    '12345678901234567',
    '1,2,3',
    '1,20.5',
    '12%',
    '£',
    '(5',
    '--5',
    '£5 GBP',
    '5-6',
    '1e5',
  ])('%s is none', (cell) => {
    expect(parseNumber(cell)).toBeUndefined()
  })

  test('come back with any text around them', () => {
    const spelling = fc.record({
      pence: fc.integer({ min: -1e12, max: 1e12 }),
      comma: fc.boolean(),
      groups: fc.boolean(),
      sign: fc.constantFrom('', '£', '€', 'GBP '),
      brackets: fc.boolean(),
    })
    fc.assert(
      fc.property(spelling, ({ pence, comma, groups, sign, brackets }) => {
        const digits = (Math.abs(pence) / 100).toLocaleString('en-GB', {
          minimumFractionDigits: 2,
          useGrouping: groups,
        })
        const own = comma
          ? digits.replaceAll(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'))
          : digits
        const minus = brackets ? `(${sign}${own})` : `-${sign}${own}`
        const read = parseNumber(pence < 0 ? minus : sign + own)
        expect(read?.[comma ? ',' : '.']).toBe(pence / 100)
      }),
      runs(75),
    )
  })
})

test('yes and no are said in many ways; what says neither is neither', () => {
  expect(['Yes', 'Y', 'TRUE', '1', '✓', '☑'].map(parseBoolean)).toEqual(Array(6).fill(true))
  expect(['no', 'N', 'False', '0', '✗', '☐'].map(parseBoolean)).toEqual(Array(6).fill(false))
  expect(['', 'unknown', 'maybe', 'x', 'yes please', '2'].map(parseBoolean)).toEqual(
    Array(6).fill(undefined),
  )
})
