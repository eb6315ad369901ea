/** The restrictions of a key; an absent property restricts nothing. */
export type Restrictions = {
  /** The visible collections. */
  collections?: readonly string[] | undefined
  /** False hides private case notes. */
  privateNotes?: false | undefined
  /** The allowed networks, each an address or a CIDR. */
  allowFrom?: readonly string[] | undefined
  /** The hidden fields: ids of people's fields, paths of properties, and field categories. */
  hideFields?: readonly string[] | undefined
  /** The web origins that may use the key from their pages; by default none. */
  origins?: readonly string[] | undefined
}

/** The restrictions of a new assistant's key: an assistant sees free text and private notes only if somebody allows it. */
export const assistantRestrictions = {
  privateNotes: false,
  hideFields: ['free text'],
} as const satisfies Restrictions

/** Serialises restrictions for the database. Equal restrictions have equal text; empty ones become null. */
export function serialiseRestrictions({
  collections,
  privateNotes,
  allowFrom,
  hideFields,
  origins,
}: Restrictions): string | null {
  const text = JSON.stringify({
    collections: sorted(collections),
    privateNotes,
    allowFrom: sorted(allowFrom),
    hideFields: sorted(hideFields),
    origins: sorted(origins),
  })
  return text === '{}' ? null : text
}

export const parseRestrictions = (text: string | null): Restrictions =>
  text === null ? {} : JSON.parse(text)

const sorted = (names: readonly string[] = []) =>
  names.length > 0 ? [...new Set(names)].toSorted() : undefined
