import type { AccessPolicy } from '../../access/access-policy.ts'
import type { Permission } from '../../access/permissions.ts'
import type { Predicate } from '../../model/query/predicate.ts'
import type { Order, Position } from '../../model/query/query-options.ts'
import type { TimeRange } from '../bitmap/time-ranges.ts'
import type { Found } from '../state.ts'
import type { Row } from '../statement.ts'

/** A query for the records that pass a predicate, in an order. */
export type RecordQuery = {
  predicate?: Predicate | undefined
  /** Ties, and records without an order, are in order of arrival. */
  order: readonly Order[]
  limit: number
  /** The number of records to skip. */
  skip: number
  after?: Position | undefined
  isCounted: boolean
  /** Whether the page is limited in size, because another follows it in the same response. */
  isExport?: boolean
  created?: TimeRange | undefined
  changed?: TimeRange | undefined
}

/** A page of a query: the selected columns, the position to continue after unless it is the last page, the total if counted, and the head of its first statement. */
export type QueryPage = Found<PagePart & { head: Row }>

/** The requirements of every statement of a query. */
export type QueryGuard = {
  permissions: readonly Permission[]
  collection: string
  policy: AccessPolicy
}

/** A page, or a part of it that took half of the row budget. */
export type PagePart = {
  rows: Row[]
  next: Position | undefined
  total: number | undefined
}
