const ukPostcode = /^([A-Z]{1,2}\d[A-Z\d]?)\d[A-Z]{2}$/

/** A postcode as filters compare it: case and spaces do not count. */
export const compactPostcode = (postcode: string) => postcode.toUpperCase().replace(/\s/g, '')

/** What the `postcode` filter finds a postcode by: itself, and its outward code if it is a British one (decisions 3). */
export function postcodeKeys(postcode: string): string[] {
  const compact = compactPostcode(postcode)
  const outward = ukPostcode.exec(compact)?.[1]
  return outward ? [compact, outward] : [compact]
}
