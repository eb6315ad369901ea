/** The usual sizes of the groups of digits in UK numbers: 07700 900123, 07700 900 123, 0113 496 0000 and 020 7946 0000. */
const groupings = [[11], [5, 6], [5, 3, 3], [4, 3, 4], [3, 4, 4], [4, 7], [3, 8]]

/** The digits of a telephone number in their national form; '' for fewer than six. */
export function normalisePhone(phone: string): string {
  const digits = nationalDigits(phone)
  return digits.length < 6 ? '' : digits
}

/** The usual spellings of a telephone number or of its beginning: national and with a country code, with and without spaces. */
export function phoneSpellings(phone: string): string[] {
  const digits = nationalDigits(phone)
  const spellings = groupings.flatMap((sizes) => {
    const groups = groupDigits(digits, sizes)
    const [area = '', ...others] = groups
    const national = groups.join(' ')
    const codes = ['+44 ', '+44', '44', '0044 ', '0044', '+44 (0)', '+44(0)']
    return [
      ...[national, groups.join('-'), [`(${area})`, ...others].join(' ')],
      ...codes.map((code) => code + national.slice(1)),
    ]
  })
  return [...new Set([phone, digits, ...(digits.startsWith('0') ? spellings : [])])]
}

/** The digits of a telephone number or of a part of it: 07700… for +44 7700… and 447700…. */
export const nationalDigits = (phone: string) =>
  phone
    .replaceAll(/\(0\)|[^\d+]/g, '')
    .replace(/^(?:\+?44|0044)0?/, '0')
    .replaceAll('+', '')

function groupDigits(
  digits: string,
  [size = digits.length, ...sizes]: readonly number[],
): string[] {
  return digits.length <= size || sizes.length === 0
    ? [digits]
    : [digits.slice(0, size), ...groupDigits(digits.slice(size), sizes)]
}
