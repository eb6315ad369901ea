import fc from 'fast-check'

/** Texts that are easily mistaken for another type or for syntax. */
const trickyTexts = [
  ...['07700900123', '7700900123', '1e3', '1000', '1E3', '-0', '0', '7', ' 7 ', '7.0', '.5', '5.'],
  ...['0x10', '16', 'Infinity', 'NaN', '9007199254740992', '9007199254740993', '1e400', '0.1'],
  ...['TRUE', 'true', 'True', 'false', 'null', 'undefined', '', ' ', '[]', '{}', '"a"', '[7]'],
  ...[
    '__proto__',
    'constructor',
    "' OR 1=1 --",
    'a"b',
    'a.b',
    'a[0]',
    '$',
    '%',
    '*',
    '\\',
    '\u0000',
  ],
  ...['a\u0000b', 'é', 'e\u0301', '🙂', '\ufffd', '\ufeff', 'a', 'A', 'é'.repeat(128)],
  ...['é'.repeat(200), `${'é'.repeat(200)}!`, '\u{1F642}'.repeat(64), `${'x'.repeat(255)}é`],
]

/** Texts: the tricky ones, lone surrogates and any others. */
export const texts = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...trickyTexts, '\ud800', '\udc00a') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
)

/** Numbers as JSON can hold them, on both sides of where they stop being exact. */
const numbers = fc.oneof(
  fc.constantFrom(0, 7, 16, 0.1, 0.5, 1000, 7700900123, 2 ** 53, 2 ** 53 + 2, -1, 1e21, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

/** Scalars that a filter can find. */
export const scalars = fc.oneof(
  { weight: 4, arbitrary: texts },
  { weight: 2, arbitrary: numbers },
  { weight: 1, arbitrary: fc.boolean() },
)

/** Filter values: any text, and numbers as text. */
export const filterTexts = fc.oneof(
  { weight: 4, arbitrary: texts },
  { weight: 1, arbitrary: numbers.map(String) },
)
