/** What stands before the decimals: a point, as in 1,200.50, or a comma, as in 1.200,50. */
type DecimalSeparator = '.' | ','

/** A parsed number: its value with a decimal point and with a decimal comma, if valid, and its currency. */
type ParsedNumber = {
  '.': number | undefined
  ',': number | undefined
  currency: string | undefined
}

const currencyBySign: Readonly<Record<string, string>> = { '£': 'GBP', '€': 'EUR', $: 'USD' }
const currencyPattern = '£|€|\\$|GBP|EUR|USD'
const numberPattern = new RegExp(
  `^(\\()?([-+−]?) ?(${currencyPattern})? ?([-+−]?)([\\d.,\u00a0\u202f']+) ?(${currencyPattern})?(\\))?$`,
  'i',
)
const digitPatterns: Readonly<Record<DecimalSeparator, RegExp>> = {
  '.': /^(?:\d{1,3}(?:[,\u00a0\u202f']\d{3})+|\d+)?(?:\.\d+)?$/,
  ',': /^(?:\d{1,3}(?:[.\u00a0\u202f']\d{3})+|\d+)?(?:,\d+)?$/,
}

/**
 * Reads a number with or without thousands, a currency, brackets for less than nothing. A text of
 * digits that is no quantity (0123, or more digits than a number holds) is no number.
 */
export function parseNumber(cell: string): ParsedNumber | undefined {
  const [
    ,
    openingBracket,
    sign,
    currencyBefore,
    innerSign,
    digits = '',
    currencyAfter,
    closingBracket,
  ] = numberPattern.exec(cell) ?? []
  if (
    !/\d/.test(digits) ||
    Boolean(openingBracket) !== Boolean(closingBracket) ||
    (sign && innerSign)
  )
    return undefined
  if ((openingBracket && (sign || innerSign)) || (currencyBefore && currencyAfter)) return undefined
  const isNegative = Boolean(openingBracket) || /[-−]/.test(`${sign}${innerSign}`)
  const valueWith = (decimal: DecimalSeparator) => {
    if (!digitPatterns[decimal].test(digits)) return undefined
    const [whole = '', fraction = ''] = digits.split(decimal)
    const wholeDigits = whole.replaceAll(/\D/g, '')
    if (/^0\d/.test(wholeDigits) || wholeDigits.replace(/^0/, '').length + fraction.length > 15)
      return undefined
    const value = Number(`${wholeDigits || '0'}.${fraction || '0'}`)
    return isNegative && value !== 0 ? -value : value
  }
  const values = { '.': valueWith('.'), ',': valueWith(',') }
  if (values['.'] === undefined && values[','] === undefined) return undefined
  const currency = currencyBefore ?? currencyAfter
  return { ...values, currency: currency && (currencyBySign[currency] ?? currency.toUpperCase()) }
}

/** Whether a spreadsheet has shortened a long number to this, such as 4.47701E+11: its digits are lost. */
export const hasLostDigits = (cell: string) => /^-?\d(?:[.,]\d+)?E\+\d{1,3}$/i.test(cell)
