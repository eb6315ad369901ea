import type { Filter } from '../model/filter.ts'
import type { RestrictionName, Restrictions } from './restrictions.ts'

/*
 * What restrictions do, apart from their schema and words: every request compiles an access policy from this
 * table, and must not load Zod for it.
 */

/** Records that a restriction hides. They cannot be people: searches for people do not ask for hidden records. */
export type HiddenRecords = {
  collection: string
  /** What messages call them: "private case notes". */
  name: string
  /** The filter that only the visible records pass. */
  visible: Filter
  /**
   * Whether triggers write a deletion when callers no longer see a record (`migrations/records/0004_changes.sql`).
   * Otherwise the change feed shows each change of a hidden record as its deletion.
   */
  writesDeletions?: true
}

/** The effect of a restriction. */
export type RestrictionEffect = {
  /** The only visible collections. */
  collections?: readonly string[] | undefined
  hiddenRecords?: readonly HiddenRecords[]
  /** The ids, paths and categories of the hidden fields, in all collections. */
  hiddenFields?: readonly string[] | undefined
  /** The only networks from which the key can be used. */
  networks?: readonly string[] | undefined
  /** The origins of web pages that can use the key; by default none. */
  origins?: readonly string[] | undefined
}

const privateCaseNotes: HiddenRecords = {
  collection: 'case-notes',
  name: 'private case notes',
  visible: { field: 'isPrivate', values: [false] },
  writesDeletions: true,
}

const effects: Record<RestrictionName, (restrictions: Restrictions) => RestrictionEffect> = {
  collections: ({ collections }) => ({ collections }),
  privateNotes: ({ privateNotes }) =>
    privateNotes === false ? { hiddenRecords: [privateCaseNotes] } : {},
  allowFrom: ({ allowFrom }) => ({ networks: allowFrom }),
  hideFields: ({ hideFields }) => ({ hiddenFields: hideFields }),
  origins: ({ origins }) => ({ origins }),
}

/** The effects of a key's restrictions. */
export const effectsOf = (restrictions: Restrictions): RestrictionEffect[] =>
  Object.values(effects).map((effect) => effect(restrictions))

/** Parses stored restrictions. */
export const parseRestrictions = (text: string | null): Restrictions =>
  text === null ? {} : JSON.parse(text)
