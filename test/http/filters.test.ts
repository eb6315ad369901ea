import { describe, expect, test } from 'vitest'
import { parseFieldFilter } from '../../src/model/filter.ts'
import { newOrganisationWithEvents } from './search-events.ts'

/** The texts and what they find of the values that stand under the same names, alone and beside another filter. */
async function expectFound(values: Record<string, unknown>, expected: Record<string, string[]>) {
  const { found } = await newOrganisationWithEvents(
    Object.fromEntries(Object.entries(values).map(([id, value]) => [id, { value, all: 'all' }])),
  )
  for (const [text, ids] of Object.entries(expected)) {
    expect([text, await found({ value: text })]).toEqual([text, ids])
    expect([text, await found({ value: text, all: 'all' })]).toEqual([text, ids])
  }
}

describe('a text finds', () => {
  test('itself, and the number it spells', () =>
    expectFound(
      { text: '7', number: 7, real: 7.5, phone: '07700900123', zero: 0, none: null, empty: '' },
      {
        '7': ['text', 'number'],
        '007': ['number'],
        '7.0': ['number'],
        '7e0': ['number'],
        '.75E+1': ['real'],
        '75e-1': ['real'],
        '07700900123': ['phone'],
        '7700900123': [],
        '-0': ['zero'],
        '': ['empty'],
        null: [],
        ' 7 ': [],
        '7 ': [],
        '+7': [],
        '0x7': [],
        '7_0': [],
        '7,0': [],
        '٧': [],
        '.': [],
        e0: [],
      },
    ))

  test('the number or the phone number that an exponent or a leading zero spells', () =>
    expectFound(
      { text: '1e3', number: 1000, phone: 7700900123, hex: 16, hexText: '0x10' },
      {
        '1e3': ['text', 'number'],
        '1E3': ['number'],
        '1000': ['number'],
        '07700900123': ['phone'],
        '0x10': ['hexText'],
        '16': ['hex'],
      },
    ))

  test('the boolean that it spells in any case, which is no number', () =>
    expectFound(
      { text: 'TRUE', lower: 'true', yes: true, no: false, one: 1, nought: 0, digit: '1' },
      {
        TRUE: ['text', 'yes'],
        true: ['lower', 'yes'],
        tRuE: ['yes'],
        False: ['no'],
        '1': ['one', 'digit'],
        '0': ['nought'],
        ' true': [],
        '\u0001': [],
      },
    ))

  test('a number of up to 2^53, and only a text beyond', () =>
    expectFound(
      {
        limit: 2 ** 53,
        below: 2 ** 53 - 1,
        great: 1e300,
        text: '9007199254740993',
        infinite: 'Infinity',
        nan: 'NaN',
        negative: -(2 ** 53),
      },
      {
        '9007199254740991': ['below'],
        '9007199254740992': ['limit'],
        '9007199254740993': ['text'],
        '-9007199254740992': ['negative'],
        '-9007199254740993': [],
        '1e300': [],
        '1e999': [],
        '-1e999': [],
        Infinity: ['infinite'],
        NaN: ['nan'],
      },
    ))

  test('itself alone, at once, if it is nearly a number of 300,000 digits', () => {
    const text = `${'1'.repeat(300_000)}x`
    expect(parseFieldFilter('value', text).values).toEqual([text])
  }, 10_000)

  test('an element of an array of scalars, each record once', () =>
    expectFound(
      { two: ['a', 'b'], twice: ['a', 'a'], numbers: [1, 2], none: [], mixed: ['x', true, null] },
      { a: ['two', 'twice'], b: ['two'], '2': ['numbers'], TRUE: ['mixed'], 'a,b': [], '[]': [] },
    ))

  test('a fraction as served', async () => {
    const numbers = [0.1, 0.1 + 0.2, 1 / 3, 1e-7, 123456.789, 5e-324, 51.501009, -0.14159265358979]
    await expectFound(
      Object.fromEntries(numbers.map((number, index) => [`n${index}`, number])),
      Object.fromEntries(numbers.map((number, index) => [`${number}`, [`n${index}`]])),
    )
  })
})
