/** What stands before the decimals: a point, as in 1,200.50, or a comma, as in 1.200,50. */
export type Decimal = '.' | ','

/** A number as it is spelt: its value with a decimal point and with a decimal comma, where it is one, and its currency. */
export type SpeltNumber = {
  '.': number | undefined
  ',': number | undefined
  currency: string | undefined
}

const signs: Readonly<Record<string, string>> = { '£': 'GBP', '€': 'EUR', $: 'USD' }
const codes = '£|€|\\$|GBP|EUR|USD'
const shape = new RegExp(
  `^(\\()?([-+−]?) ?(${codes})? ?([-+−]?)([\\d.,\u00a0\u202f']+) ?(${codes})?(\\))?$`,
  'i',
)
const spelt: Readonly<Record<Decimal, RegExp>> = {
  '.': /^(?:\d{1,3}(?:[,\u00a0\u202f']\d{3})+|\d+)?(?:\.\d+)?$/,
  ',': /^(?:\d{1,3}(?:[.\u00a0\u202f']\d{3})+|\d+)?(?:,\d+)?$/,
}

/**
 * Reads a number with or without thousands, a currency, brackets for less than nothing. A text of
 * digits that is no quantity (0123, or more digits than a number holds) is no number.
 */
export function readNumber(cell: string): SpeltNumber | undefined {
  const [, opens, sign, before, inner, digits = '', after, closes] = shape.exec(cell) ?? []
  if (!/\d/.test(digits) || Boolean(opens) !== Boolean(closes) || (sign && inner)) return undefined
  if ((opens && (sign || inner)) || (before && after)) return undefined
  const isNegative = Boolean(opens) || /[-−]/.test(`${sign}${inner}`)
  const valueBy = (decimal: Decimal) => {
    if (!spelt[decimal].test(digits)) return undefined
    const [whole = '', part = ''] = digits.split(decimal)
    const ones = whole.replaceAll(/\D/g, '')
    if (/^0\d/.test(ones) || ones.replace(/^0/, '').length + part.length > 15) return undefined
    const value = Number(`${ones || '0'}.${part || '0'}`)
    return isNegative && value !== 0 ? -value : value
  }
  const values = { '.': valueBy('.'), ',': valueBy(',') }
  if (values['.'] === undefined && values[','] === undefined) return undefined
  const currency = before ?? after
  return { ...values, currency: currency && (signs[currency] ?? currency.toUpperCase()) }
}

/** Whether a spreadsheet has shortened a long number to this, such as 4.47701E+11: its digits are lost. */
export const isShortened = (cell: string) => /^-?\d(?:[.,]\d+)?E\+\d{1,3}$/i.test(cell)
