import { invalidField } from '../api-error.ts'
import type { FilterExpression } from './filter-expression.ts'
import type { FieldPath } from './predicate.ts'

/** A field of `$orderby`. */
export type NamedOrder = { name: string; isDescending: boolean }

/** A field of an order. */
export type Order = { field: FieldPath; isDescending: boolean }

/** A value of a record as an order compares it: booleans and long texts are blobs, here as hexadecimal; null is missing. */
export type SortKey = string | number | { hex: string } | null

/** The position of a record in an order: its values, then its ordinal. */
export type Position = { keys: readonly SortKey[]; ordinal: number }

/** The parsed query options of a list, before their names are resolved to visible fields. */
export type QueryOptions = {
  filter?: FilterExpression | undefined
  orderBy: readonly NamedOrder[]
  /** The page starts after this position. */
  after?: Position | undefined
  /** Whether to return the total. */
  isCounted: boolean
}

/** The error for a token that is malformed or of another query. */
export const foreignToken = (parameter: string) =>
  invalidField(
    parameter,
    'invalid_format',
    'is not the token of a page of this query with these credentials: start again without it.',
  )
