const ukPostcode = /^([A-Z]{1,2}\d[A-Z\d]?)\d[A-Z]{2}$/

export const compactPostcode = (postcode: string) => postcode.toUpperCase().replace(/\s/g, '')

/** The keys that the `postcode` filter matches: the postcode and, if it is British, its outward code. */
export function postcodeKeys(postcode: string): string[] {
  const compact = compactPostcode(postcode)
  const outward = ukPostcode.exec(compact)?.[1]
  return outward ? [compact, outward] : [compact]
}
