import type { AccessPolicy } from '../../access/access-policy.ts'
import type { Permission } from '../../access/permissions.ts'
import type { Predicate } from '../../model/query/predicate.ts'
import type { Order, Position } from '../../model/query/query-options.ts'
import type { TimeRange } from '../bitmap/time-ranges.ts'
import type { Found } from '../state.ts'
import type { Row } from '../statement.ts'

/** A page of a list with query options, such as `$filter` and `$orderby`. */
export type RecordQuery = {
  /** The condition of `$filter`. Without it, all records of the collection pass. */
  predicate?: Predicate | undefined
  /** The fields of `$orderby`. Records with the same values, or all without an order, are in order of arrival. */
  order: readonly Order[]
  /** The number of records to skip, and the maximum number to return. */
  skip: number
  limit: number
  /** The position of the last record of the previous page, from `$skiptoken`. */
  after?: Position | undefined
  /** Whether to return the number of all records that pass. */
  isCounted: boolean
  /** Whether the page is also limited in bytes: an export writes many pages to one response. */
  isExport?: boolean
  /** Only records created, or last changed, in a range of time. */
  created?: TimeRange | undefined
  changed?: TimeRange | undefined
}

/**
 * A page of a query, or the first part of one: reading stops early when it has used half of the rows that a request
 * may read, and continues after `next`.
 */
export type PagePart = {
  /** The selected columns of each record. */
  rows: Row[]
  /** The position to continue after; undefined on the last page. */
  next: Position | undefined
  /** The number of all records that pass; undefined if the query is not counted. */
  total: number | undefined
}

/** A page of a query. `head` has the other values that its first statement read. */
export type QueryPage = Found<PagePart & { head: Row }>

/** What every statement of a query requires of the credential, so that revoking a key stops it between two statements. */
export type QueryGuard = {
  permissions: readonly Permission[]
  collection: string
  policy: AccessPolicy
}
