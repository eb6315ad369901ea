import type { Values } from '../model/schema.ts'
import type { Validated } from '../model/validation-error.ts'
import type { Store } from '../store/store.ts'
import type { NewDocument } from '../store/write/put.ts'

/** What the records of a collection must be, and what is worked out of them. */
export type Rules = {
  collection: string
  /** The property that holds a record's id. */
  id: string
  /** The fields in which no two records may have the same value. */
  unique: readonly string[]
  /** The fields from which others are derived, so that they are not written without these. */
  sources: readonly string[]
  /** Whether a record depends on the version it replaces, so that a concurrent change makes the write start again. */
  dependsOnBefore?: boolean
  /** A record as it is kept, in place of the one that is kept so far, or everything that is wrong with what was given. */
  check(given: unknown, before?: Values): Validated<NewDocument>
  /** The same with a JSON Merge Patch (RFC 7396) for the record that is kept, or for a new one: all that `PATCH` and files mean. */
  merge(before: Values | undefined, patch: unknown): Validated<NewDocument>
  /** Returns a valid patch by the names of the stored record's properties. */
  named(patch: Record<string, unknown>): Record<string, unknown>
  /** Adds what people answered to the forms whose answers are embedded (contract 1). */
  answered?(store: Pick<Store, 'answers'>, written: readonly NewDocument[]): Promise<NewDocument[]>
  /** Adds what the postcode directory knows to records that are about to be written, in place of those kept so far. */
  place?(
    geography: D1Database,
    written: readonly NewDocument[],
    before?: ReadonlyMap<string, Values>,
  ): Promise<NewDocument[]>
}

/** The errors of a record that is no object. */
export const notAnObject = { errors: [{ field: '', message: 'is not an object.' }] }
