import type { FieldPath } from '../../model/query/predicate.ts'
import { references } from '../../model/references.ts'
import { indexField } from '../query/plan.ts'

/*
 * Packed columns are for summaries of many records by a field that has many values. A pack is a row of `packed_columns`:
 * the ids of the terms that 2,000 consecutive ordinals have in the field. The schedule brings the packs up to a version of
 * the organisation, `packed_organisations.version`; a summary reads the records that changed later from their documents.
 *
 * A pack has no values, so nothing of a person remains in it after an erasure. It may still have the id of a term that
 * was deleted, and that now means another value. No summary follows such an id: a term is deleted with its last
 * record that has the value, and that record has a later version, or is deleted and its ordinal never used again.
 */

/** A field that is packed. */
export type PackedField = { collection: string; path: string }

/** The number of ordinals of a pack. */
export const packSize = 2000

/** The id in a pack of a record without a value. */
export const withoutValue = '0'

/**
 * References to one record, and the day of a booking: the index has a bitmap for each value and block, which are
 * almost as many as the records.
 */
export const packedFields: readonly PackedField[] = [
  ...references
    .filter(({ name }) => name !== undefined)
    .map(({ from, path }) => ({ collection: from, path })),
  { collection: 'bookings', path: 'date' },
]

/** The fields as `packed_organisations` has them. If they change, the schedule packs all records again. */
export const packedFieldNames = packedFields
  .map(({ collection, path }) => `${collection}.${path}`)
  .join(' ')

export const isPacked = (collection: string, field: FieldPath): boolean =>
  packedFields.some((it) => it.collection === collection && it.path === indexField(field))

/** The number of the pack that has an ordinal. */
export const packOf = (ordinal: number): number => Math.floor(ordinal / packSize)

/** The term ids of a pack, from its first ordinal. The document has to be read where one is empty or missing. */
export const parsePack = (termIds: string): string[] => termIds.split(',')
