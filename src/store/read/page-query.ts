import type { SQL } from 'drizzle-orm'
import type { Filter } from '../../model/filter.ts'
import type { ExportPosition } from './export-page.ts'
import type { TimeRange } from './time-ranges.ts'

/** What to read of a collection: one page of the records that pass the filters, which may be one of a pull. */
export type PageQuery = {
  limit: number
  offset: number
  filters: readonly Filter[]
  /** Only records that were created, or last changed, in this range; with the latter, in the order of that change. */
  created?: TimeRange | undefined
  changed?: TimeRange | undefined
  /** Whether to show when each record was created and changed, and its version. */
  times?: boolean
  pull?: ExportPosition | undefined
}

/** SQL for a page of a collection: what a SELECT takes it `from` in its order, how many records pass the filters, the rows it would take at most, and the WITH clause that all need. For a pull, what tells a record's `place` in that order, and that of the page's last record unless the list ends there (`next`). */
export type Page = {
  from: SQL
  total: SQL
  place: SQL
  next: SQL
  cost: SQL | undefined
  with: SQL
}

/** Where a page of a pull begins; undefined where it begins at the offset. */
export const cursorOf = ({ pull }: PageQuery) => (typeof pull === 'object' ? pull : undefined)
