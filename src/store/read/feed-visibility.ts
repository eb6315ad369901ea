import { type SQL, sql } from 'drizzle-orm/sql'
import type { HiddenRecords } from '../../access/restriction-effects.ts'
import { documentPasses } from '../fragments.ts'

/** The SQL conditions by which an entry of the change feed is shown to a caller from whom records are hidden. */
type FeedVisibility = {
  /** Whether the entry of a record appears as a change of it, and otherwise as its deletion. */
  isShown: SQL
  /** Whether the entry of a record appears at all. */
  isRecordListed: SQL
  /** Whether the entry of a deletion appears. */
  isDeletionListed: SQL
}

/**
 * A restricted caller must learn that a record which it has seen is now hidden from it, as if the record were deleted.
 * For private case notes, the database stores such a deletion (its `audience` is 'public'), and a note's own entry is
 * left out while it is hidden. For other hidden records, an entry after the first appears as a deletion.
 */
export function feedVisibility(hidden: readonly HiddenRecords[]): FeedVisibility {
  const withDeletions = hidden.filter(({ writesDeletions }) => writesDeletions)
  const isShown = showsAll(hidden.filter(({ writesDeletions }) => !writesDeletions))
  const otherAudience = withDeletions.length > 0 ? sql`'private'` : sql`'public'`
  return {
    isShown,
    isRecordListed: sql`${showsAll(withDeletions)} AND (${isShown} OR version <> first_version)`,
    isDeletionListed: sql`audience <> ${otherAudience}`,
  }
}

/** The condition that a row of `records` is not among the hidden records. */
export const showsAll = (hidden: readonly HiddenRecords[]): SQL =>
  sql.join(
    [
      sql`true`,
      ...hidden.map(
        ({ collection, visible }) =>
          sql`iif(collection = ${collection}, ${documentPasses(visible)}, true)`,
      ),
    ],
    sql` AND `,
  )
