/** The decimal separator: a point, as in 1,200.50, or a comma, as in 1.200,50. */
type DecimalSeparator = '.' | ','

/** A parsed number: its value for each decimal separator, if valid, and its currency. */
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
 * Parses a number with optional thousands separators, currency, and brackets for a negative value.
 * Returns undefined for digits that are not a quantity, such as 0123 or more than 15 digits.
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
