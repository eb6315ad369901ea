import type { Values } from '../model/properties/schema.ts'
import type { Validated, ValidationError } from '../model/validation-error.ts'
import type { Store } from '../store/store.ts'
import type { NewDocument } from '../store/write/put.ts'

/** The rules of a collection: validation of its records and the values derived from them. */
export type Rules = {
  collection: string
  /** The property that holds a record's id. */
  id: string
  /** The unique fields. */
  unique: readonly string[]
  /** The fields that other fields are derived from; a write includes them together. */
  sources: readonly string[]
  /** Whether a record depends on the version it replaces, so that a concurrent change makes the write start again. */
  dependsOnBefore?: boolean
  /** Validates a record and returns its document, or every error. `before` is the stored record. */
  check(given: unknown, before?: Values): Validated<NewDocument>
  /**
   * The same for a JSON Merge Patch (RFC 7396) to the stored record or a new one, as `PATCH` and
   * files use it.
   */
  merge(before: Values | undefined, patch: unknown): Validated<NewDocument>
  /** Returns a valid patch by the names of the stored record's properties. */
  named(patch: Record<string, unknown>): Record<string, unknown>
  /** Embeds people's answers to schema forms (contract 1). */
  answered?(store: Store, written: readonly NewDocument[]): Promise<NewDocument[]>
  /** Adds the areas from the postcode directory to records about to be written. */
  place?(
    geography: D1Database,
    written: readonly NewDocument[],
    before?: ReadonlyMap<string, Values>,
  ): Promise<NewDocument[]>
}

export const notAnObject: { errors: ValidationError[] } = {
  errors: [{ field: '', message: 'is not an object.', code: 'invalid_type' }],
}
