import type { SQL } from 'drizzle-orm/sql'
import type { Filter } from '../../model/filter.ts'
import type { Position, QueryOptions } from '../../model/query/query-options.ts'
import type { Columns } from '../columns.ts'
import type { TimeRange } from './time-ranges.ts'

/**
 * The position of an export: the ordinal or, in order of change, the version of the last record.
 * Also holds the next page's maximum number of records and expected number of blocks, and the
 * number of pages so far.
 */
export type ExportCursor = { ordinal: number; limit: number; blocks: number; pages: number }

/** The next page of an export: the first, which starts at the offset, or the one after a cursor, or with query options after a position. */
export type ExportPosition = 'first' | ExportCursor | Position

/** A query for one page of a collection or of an export. */
export type PageQuery = {
  limit: number
  offset: number
  filters: readonly Filter[]
  /** Only records with these ids, without paging or other conditions. */
  ids?: readonly string[] | undefined
  /** The query options of the list. Without them, records are in order of arrival. */
  options?: QueryOptions | undefined
  /** Restricts the page to records created or last changed in this range. `changed` sorts by last change. */
  created?: TimeRange | undefined
  changed?: TimeRange | undefined
  /** Whether to return the times and version of each record. */
  times?: boolean
  pull?: ExportPosition | undefined
  /** What the page's first statement also reads, and the page returns as its `head`. */
  head?: Columns | undefined
}

/**
 * SQL for a page: the ordered FROM clause, the total, the maximum number of rows read and a shared
 * WITH clause. Exports also use each record's sort number (`sortKey`) and that of the last record,
 * unless the list ends there (`next`).
 */
export type PageSql = {
  from: SQL
  total: SQL
  sortKey: SQL
  next: SQL
  cost: SQL | undefined
  with: SQL
}

/** The cursor of an export's page; undefined if the page starts at the offset. */
export const cursorOf = ({ pull }: PageQuery) =>
  typeof pull === 'object' && 'pages' in pull ? pull : undefined
