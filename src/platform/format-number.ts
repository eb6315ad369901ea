/**
 * A number in British English, such as 50,000. `Intl` takes 13 ms at its first use in an
 * isolate, so only fractions use it.
 */
export const formatNumber = (value: number): string =>
  Number.isSafeInteger(value)
    ? String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
    : value.toLocaleString('en-GB')

const signs: Readonly<Record<string, string>> = { '': '£', GBP: '£', EUR: '€', USD: '$' }

/** An amount such as "£1,250" or "£4.50", by default in pounds. */
export function formatMoney(amount: number, currency = ''): string {
  const [whole, pence] = Math.abs(amount).toFixed(2).split('.')
  const number = formatNumber(Number(whole)) + (pence === '00' ? '' : `.${pence}`)
  const sign = signs[currency]
  return `${amount < 0 ? '−' : ''}${sign ? sign + number : `${number} ${currency}`}`
}
