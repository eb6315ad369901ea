/**
 * A number in British English, such as 50,000. `Intl` takes 13 ms at its first use in an
 * isolate, so only fractions use it.
 */
export const formatNumber = (value: number): string =>
  Number.isSafeInteger(value)
    ? String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
    : value.toLocaleString('en-GB')
