/** Whether a text looks like one email address. The rules for a field decide whether it is valid. */
export const looksLikeEmail = (cell: string) =>
  /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>.]{2,}$/.test(cell)

/** Whether a text looks like a telephone number. */
export function looksLikePhone(cell: string): boolean {
  if (!/^[+(\d][\d\s()+./-]{5,}(?: ?(?:x|ext\.?|extension) ?\d{1,6})?$/i.test(cell)) return false
  const digits = cell.replaceAll(/\D/g, '').length
  return digits >= 6 && digits <= 20
}

/** Whether a text looks like a British postcode, in any case and spacing. */
export const looksLikePostcode = (cell: string) =>
  /^[A-Z]{1,2}\d[A-Z\d]? *\d[A-Z]{2}$/i.test(cell) || /^GIR ?0AA$/i.test(cell)
