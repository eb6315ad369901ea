import type { SQL } from 'drizzle-orm/sql'
import type { Filter } from '../../model/filter.ts'
import type { Position, QueryOptions } from '../../model/query/query-options.ts'
import type { Columns } from '../columns.ts'
import type { TimeRange } from './time-ranges.ts'

/** Where an export continues. */
export type ExportCursor = {
  /** The ordinal of the last record or, in order of change, its version. */
  ordinal: number
  /** The maximum number of records of the next page. */
  limit: number
  /** The number of blocks that the next page probably reads. */
  blocks: number
  /** The number of pages so far. */
  pages: number
}

/**
 * Where a page of an export starts: at the offset if it is the first, otherwise after a cursor, or
 * after a position if the list has query options.
 */
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
  /** Restricts the page to records created in this range. */
  created?: TimeRange | undefined
  /** Restricts the page to records last changed in this range, and sorts them by last change. */
  changed?: TimeRange | undefined
  /** Whether to return the times and version of each record. */
  times?: boolean
  /** Set if the page is part of an export. */
  exportPosition?: ExportPosition | undefined
  /** Values to read in the page's first statement and return as its `head`. */
  head?: Columns | undefined
}

/** SQL for a page. */
export type PageSql = {
  /** The WITH clause that the other parts share. */
  with: SQL
  /** The FROM clause, in the order of the page. */
  from: SQL
  total: SQL
  /** The maximum number of rows that the query reads; undefined if it is always small. */
  cost: SQL | undefined
  /** For exports: the ordinal of a record or, in order of change, its version. */
  sortKey: SQL
  /** For exports: the `sortKey` of the page's last record, or NULL if the list ends there. */
  next: SQL
}

/** The cursor of an export's page; undefined if the page starts at the offset. */
export const cursorOf = ({ exportPosition }: PageQuery) =>
  typeof exportPosition === 'object' && 'pages' in exportPosition ? exportPosition : undefined
