import type { SQL } from 'drizzle-orm'
import type { Filter } from '../../model/filter.ts'
import type { TimeRange } from './time-ranges.ts'

/**
 * The position of an export: behind this ordinal, or in order of change behind this version; with
 * the maximum number of records of the next page, its expected number of blocks, and the number of
 * pages so far.
 */
export type ExportCursor = { ordinal: number; limit: number; blocks: number; pages: number }

/**
 * The part of an export to read next: the first page, which starts at the offset, or the page
 * behind a cursor.
 */
export type ExportPosition = 'first' | ExportCursor

/**
 * The part of a collection to read: one page of the records that pass the filters, or one page of
 * an export.
 */
export type PageQuery = {
  limit: number
  offset: number
  filters: readonly Filter[]
  /** Only records created or last changed in this range; the latter in the order of change. */
  created?: TimeRange | undefined
  changed?: TimeRange | undefined
  /** Whether to return the times and version of each record. */
  times?: boolean
  pull?: ExportPosition | undefined
}

/**
 * SQL for a page of a collection: the ordered source of a SELECT (`from`), the total, the maximum
 * number of rows read, and the WITH clause for all. For an export, also the number by which the
 * records are sorted (`sortKey`), and that of the last record unless the list ends there (`next`).
 */
export type Page = {
  from: SQL
  total: SQL
  sortKey: SQL
  next: SQL
  cost: SQL | undefined
  with: SQL
}

/** Returns the cursor of a page of an export; undefined if it starts at the offset. */
export const cursorOf = ({ pull }: PageQuery) => (typeof pull === 'object' ? pull : undefined)
