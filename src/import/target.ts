import type { Rules } from '../records/rules.ts'
import type { ReadCell } from './cells.ts'

/** What a file's records become: the rules for them, and how its cells are read. */
export type Target = Rules & {
  /** The key of the list in an envelope. */
  plural: string
  /** Whether a dotted column is a property within a property. */
  nested: boolean
  /** How the cells of a column are read; undefined when there is no such property. */
  cell(column: string): ReadCell | undefined
}
