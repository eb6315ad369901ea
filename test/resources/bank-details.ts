import fc from 'fast-check'

/** Digits of the account numbers below that must be hidden. */
export const hidden = '9381726405'

const digits = (length: number) =>
  fc.array(fc.constantFrom(...'0123456789'), { minLength: length, maxLength: length })

/** Spellings of a number: whole or in groups. */
const spellings = (number: string) =>
  fc.constantFrom(
    number,
    (number.match(/..?/g) ?? []).join('-'),
    (number.match(/.{1,4}/g) ?? []).join(' '),
    ` ${number.slice(0, 5)} - ${number.slice(5)}\u00a0`,
  )

/** Bank details in the form of a source, and in the stored form. */
export const bankDetails = fc
  .record({
    register: fc.constantFrom('', 'GB29NWBK', 'de89'),
    last: digits(4).map((it) => it.join('')),
    sort: digits(6).map((it) => it.join('')),
  })
  .chain(({ register, last, sort }) =>
    fc.record({
      input: fc.record({
        accountName: fc.constant('Warm Rooms'),
        accountNumber: spellings(register + hidden + last),
        sortCode: spellings(sort),
      }),
      stored: fc.constant({ accountNumber: `****${last}`, sortCode: `****${sort.slice(-2)}` }),
    }),
  )

/** Values that are no account number or hold one in a wrong place: all rejected. */
export const badNumbers = fc.constantFrom<unknown>(
  Number(hidden),
  [hidden],
  { number: hidden },
  `${hidden}.1`,
  `No. ${hidden}`,
  `***${hidden}`,
  `****${hidden}`,
  `${hidden}****`,
  `${hidden}\u0000`,
  `${hidden};`,
  true,
)
