/**
 * The record that every record of a collection belongs to, as a booking belongs to its event. Without
 * it, records of two parents could overwrite each other: it is part of their ids, and a file that
 * has no column for it needs one parent for all its rows.
 */
export type Parent = {
  collection: string
  /** The property that refers to the parent. */
  path: string
  /** The properties that refer to the parent, or to its occurrence if it repeats. */
  paths: readonly string[]
  /** The properties that repeat the parent's own. */
  copied: readonly string[]
}

const parents: Readonly<Record<string, Parent>> = {
  bookings: {
    collection: 'events',
    path: 'eventId',
    paths: ['eventId', 'childEventId'],
    copied: ['name', 'start', 'date', 'end'],
  },
}

export const parentOf = (collection: string): Parent | undefined =>
  Object.hasOwn(parents, collection) ? parents[collection] : undefined
