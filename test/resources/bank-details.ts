import fc from 'fast-check'

/** Digits of the account numbers below that nobody may see again. */
export const hidden = '9381726405'

const digits = (length: number) =>
  fc.array(fc.constantFrom(...'0123456789'), { minLength: length, maxLength: length })

/** A number as people write it: whole, or in groups. */
const written = (number: string) =>
  fc.constantFrom(
    number,
    (number.match(/..?/g) ?? []).join('-'),
    (number.match(/.{1,4}/g) ?? []).join(' '),
    ` ${number.slice(0, 5)} - ${number.slice(5)}\u00a0`,
  )

/** Bank details as a source gives them, and as they are kept. */
export const bankDetails = fc
  .record({
    register: fc.constantFrom('', 'GB29NWBK', 'de89'),
    last: digits(4).map((it) => it.join('')),
    sort: digits(6).map((it) => it.join('')),
  })
  .chain(({ register, last, sort }) =>
    fc.record({
      given: fc.record({
        accountName: fc.constant('Warm Rooms'),
        accountNumber: written(register + hidden + last),
        sortCode: written(sort),
      }),
      kept: fc.constant({ accountNumber: `****${last}`, sortCode: `****${sort.slice(-2)}` }),
    }),
  )

/** What is no account number, and what may hold one somewhere else than a text: to be refused. */
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
