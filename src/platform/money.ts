/** Converts an amount to hundredths of its currency, because their sums are exact. */
export const toPence = (amount: number) => Math.round(100 * amount)
