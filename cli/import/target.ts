import type { Checked } from '../../src/store/checked.ts'
import type { Written } from '../../src/store/put.ts'
import type { ReadCell } from './cells.ts'

/** What a file's records become: how its cells are read, and how a record is checked and written. */
export type Target = {
  collection: string
  /** The key of the list in an envelope. */
  plural: string
  /** The property that holds a record's id. */
  id: string
  /** Whether a dotted column is a property within a property. */
  nested: boolean
  /** How the cells of a column are read; undefined when there is no such property. */
  cell(column: string): ReadCell | undefined
  check(given: unknown): Checked<Written>
  /** Adds what the postcode directory knows to records that are about to be written. */
  enrich?(geography: D1Database, written: readonly Written[]): Promise<Written[]>
  /** The fields in which no two records may have the same value. */
  unique: readonly string[]
}

/** The faults of a record that is no object. */
export const notAnObject = { faults: [{ field: '', reason: 'is not an object.' }] }

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
