import { type SQL, sql } from 'drizzle-orm/sql'
import { type ApiError, CostlyQueryError } from '../../model/api-error.ts'
import { maxRowsRead } from '../bitmap/matches.ts'
import { bodyOf, type Columns, decodeRows, type Rows, type Selected } from '../columns.ts'
import type { Known, Unchanged } from '../state.ts'
import type { Body, QueryResult, Row, Scope } from '../statement.ts'
import type { Store } from '../store.ts'
import type { QueryGuard } from './record-query.ts'

/** The number of rows that a query of a page reserves for its order and its records. */
const pageRows = 50_000

/** The sizes of the steps in which a query reads. Beyond them, `maxRowsRead` bounds the whole query. */
export const queryLimits = {
  /** The maximum number of terms that a statement reads. */
  terms: 40_000,
  /** If a field of an order has more values than this, the records without a value are found by a scan of the records. */
  termsOfOrder: 5000,
  /** The maximum number of rows that a filter's conditions on references read together. */
  referencedRows: maxRowsRead,
  /** The number of bitmaps in the first window of blocks. Each further window has four times as many, up to 16 times. */
  windowBitmaps: 10_000,
  /** If all blocks have no more bitmaps than this, a window has them all. */
  wholeBitmaps: 1000,
  /** The number of bitmaps in the first step of a walk along an order. Each further step has four times as many, up to the maximum. */
  stepBitmaps: 1000,
  maxStepBitmaps: 10_000,
  /** Up to this number, all matches are sorted instead of walking along the order. */
  sortedMatches: 1000,
  /** Up to this number, all records with the same value in a field of the order are sorted by its next fields. */
  sortedGroup: 5000,
  /** The maximum number of documents to read for their long texts: for a window, and for a total or an order. */
  windowTexts: 2000,
  allTexts: 10_000,
  /** The size of a page of an export in bytes. Only its last record exceeds it. */
  pageBytes: 2 ** 22,
}

/** The rows that several queries of a store may read together, and the advice if that is not enough. */
export type RowBudget = {
  maxRows: number
  /** The rows that the store had read before the first of these queries. */
  rowsBefore: number
  /** The rows that are not for bitmaps, if the queries read no page. */
  rowsReserved?: number
  advice: string
}

/** The budget of the queries that a store makes from now on: as many rows as a request may read. */
export const openBudget = ({ cost }: Pick<Store, 'cost'>, advice: string): RowBudget => ({
  maxRows: maxRowsRead,
  rowsBefore: cost.rowsRead,
  advice,
})

/** What the first statement of a query also reads, the versions of which the caller has the content already, and the budget. */
export type QueryTerms<U extends Unchanged = never> = {
  head?: Record<string, SQL>
  known?: Known<U> | undefined
  budget?: RowBudget | undefined
}

/**
 * Sends the statements of one query, each with the guard's check of the credential. The first also reads the columns of
 * a head and the organisation's version, so that later statements recognise records that changed since. If the caller
 * already has the content of this version, the first statement is the only one, and the query then runs on an empty
 * collection.
 */
export class QueryReader<U extends Unchanged = Unchanged> {
  readonly scope: Scope
  /** The result of the head, from the first statement. */
  head: Row = {}
  /** The organisation's version at the first statement. */
  version = 0
  /** The organisation's state at the first statement, if the caller named known versions. */
  state = ''
  /** The result of the query if the caller knows the version. */
  unchanged: U | undefined
  readonly #store: Store
  readonly #guard: QueryGuard
  readonly #rowsBefore: number
  readonly #budget: RowBudget | undefined
  readonly #known: Known<U> | undefined
  #firstHead: Record<string, SQL> | undefined

  constructor(store: Store, guard: QueryGuard, { head = {}, known, budget }: QueryTerms<U> = {}) {
    this.#store = store
    this.#guard = guard
    this.#firstHead = head
    this.#known = known
    this.#budget = budget
    this.#rowsBefore = budget?.rowsBefore ?? store.cost.rowsRead
    this.scope = { organisationId: store.organisationId, collection: guard.collection }
  }

  /** The number of rows that the query may read for bitmaps: the rest is for its records. */
  get rowsLeft(): number {
    const { maxRows = maxRowsRead, rowsReserved = pageRows } = this.#budget ?? {}
    return Math.max(0, maxRows - rowsReserved - this.rowsRead)
  }

  /** The number of rows that the query has read so far, with those of other queries of its budget. */
  get rowsRead(): number {
    return this.#store.cost.rowsRead - this.#rowsBefore
  }

  /** The 400 for a query that would read too many rows, with the advice of its budget, if it has one. */
  tooManyRows(advice: string): ApiError {
    return tooManyRows(this.#budget?.advice ?? advice)
  }

  /** Reads rows of columns. */
  async select<C extends Columns>(rows: Rows<C>): Promise<Selected<C>[]> {
    const result = await this.read(bodyOf(rows))
    return decodeRows(rows.columns, result.rows)
  }

  async read(body: Body, head: Record<string, SQL> = {}): Promise<QueryResult> {
    if (this.unchanged) return readNothing(head)
    const firstHead = this.#firstHead
    if (!firstHead) return this.#store.read(head, body, this.#guard)
    const version = sql`(SELECT version FROM organisations WHERE id = ${this.scope.organisationId})`
    const columns = { ...head, ...firstHead, version }
    const result = await this.#store.read(columns, body, this.#guard, this.#known)
    this.#firstHead = undefined
    if (result.unchanged) {
      this.unchanged = result
      return readNothing(head)
    }
    this.head = result.head
    this.version = Number(result.head.version)
    this.state = result.state
    return result
  }
}

/** The result of a statement in an empty collection. */
const readNothing = (head: Record<string, SQL>): QueryResult => ({
  head: Object.fromEntries(Object.keys(head).map((name) => [name, null])),
  rows: [],
})

/** The 400 for a query that would read too many rows, with advice. */
export const tooManyRows = (advice: string) => new CostlyQueryError(maxRowsRead, advice)
