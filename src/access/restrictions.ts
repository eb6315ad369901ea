/** What a key is held to (additions 4); what is left out is not limited. */
export type Restrictions = {
  /** The only collections there are for it. */
  collections?: readonly string[] | undefined
  /** False where private case notes are nowhere for it. */
  privateNotes?: false | undefined
  /** The networks it may be used from, each an address or a CIDR. */
  from?: readonly string[] | undefined
  /** The fields that are kept from it: ids of people's fields, paths of properties, and kinds of fields. */
  without?: readonly string[] | undefined
}

/** Limits as they are kept: always alike for the same ones, and null for none. */
export function serialiseRestrictions({
  collections,
  privateNotes,
  from,
  without,
}: Restrictions): string | null {
  const text = JSON.stringify({
    collections: sorted(collections),
    privateNotes,
    from: sorted(from),
    without: sorted(without),
  })
  return text === '{}' ? null : text
}

/** What `limitsText` made. */
export const parseRestrictions = (text: string | null): Restrictions =>
  text === null ? {} : JSON.parse(text)

const sorted = (names: readonly string[] = []) =>
  names.length > 0 ? [...new Set(names)].toSorted() : undefined
