import { type SQL, sql } from 'drizzle-orm/sql'
import { type AccessPolicy, accessPolicyFor } from '../access/access-policy.ts'
import {
  type CollectionUse,
  type Credential,
  foreignNetwork,
  type Requirement,
  requireAccess,
  requireCollection,
} from '../access/credential.ts'
import { invalidCredentials } from '../model/api-error.ts'
import type { RecordDatabases } from '../platform/bindings.ts'
import type { Remainder } from '../platform/rate-limit-policy.ts'
import {
  bodyOf,
  type Columns,
  decodeRow,
  decodeRows,
  expressionsOf,
  type Rows,
  type Selected,
} from './columns.ts'
import { accessColumns, Connection, type ConnectionOptions, type Cost } from './connection.ts'
import { ofOrganisation } from './fragments.ts'
import {
  addState,
  type Found,
  type Known,
  OutdatedAccessError,
  type Unchanged,
  versionOf,
} from './state.ts'
import { type Body, headAndRows, type QueryResult, type Row } from './statement.ts'
import {
  auditStatement,
  checkStatement,
  isRefused,
  type Obstacles,
  obstaclesOf,
  parseRefusal,
  type Refusal,
  reasonsStatement,
  type Terms,
} from './terms.ts'

/** A statement's requirements, with the access policy that it was built for, if any. */
type Guard = Requirement & { policy?: AccessPolicy | undefined }

/** Values and rows to read, with the statement's requirements; by default, only the permission to read. */
type Selection<H extends Columns, C extends Columns, U extends Unchanged> = Partial<Guard> & {
  head?: H
  rows?: Rows<C>
  known?: Known<U> | undefined
}

type SelectionResult<H extends Columns, C extends Columns> = Found<{
  head: Selected<H>
  rows: Selected<C>[]
}>

/** The result of a write: what prevented it, what it returns and the rows of its last statement. */
export type Written<U extends Obstacles, R extends Columns> = Selected<R> & {
  refused: Refusal<U> | undefined
  rows: Row[]
}

// What prevented a write may be gone when it is read, or the organisation has moved.
const maxAttempts = 4

/**
 * The records of one organisation that a credential may access. Every statement checks the
 * credential and returns its current access.
 */
export class Store {
  readonly organisationId: string
  readonly credential: Credential
  isVerified = false
  /** Whether the credential may read, according to the last result. */
  canRead = false
  /** Whether the credential may write, according to the last result. */
  canWrite = false
  /** Whether a write found active webhooks. */
  hasWebhooks = false
  readonly #connection: Connection
  #isAdmitted = false
  #compiled: { restrictions: string | null; policy: AccessPolicy } | undefined

  constructor(databases: RecordDatabases, credential: Credential, options: ConnectionOptions = {}) {
    this.organisationId = credential.organisationId
    this.credential = credential
    this.#connection = new Connection(databases, credential, options)
  }

  /** The total cost of the reads. */
  get cost(): Cost {
    return this.#connection.cost
  }

  /** The access policy according to the last result. */
  get policy(): AccessPolicy {
    const { restrictions } = this.credential
    if (this.#compiled?.restrictions !== restrictions)
      this.#compiled = { restrictions, policy: accessPolicyFor(restrictions) }
    return this.#compiled.policy
  }

  /** Whether the caller may read every record, according to the last result. Others could infer hidden records from counts. */
  get seesEverything(): boolean {
    return this.#isAdmitted && this.canRead && !this.policy.isRestricted
  }

  /** The rows that the organisation may read at once. */
  get rowsLeft(): Remainder | undefined {
    return this.#connection.rowsLeft
  }

  /** Checks the credential without reading records. */
  async verify(guard: Guard = { permissions: [] }): Promise<void> {
    await this.read({}, undefined, guard)
  }

  /**
   * Checks a person before a statement that uses their role. While another database than `DB` has the
   * organisation, a check beside the statement would be too late.
   */
  async verifyPerson(): Promise<void> {
    if (this.credential.readAccess && !this.isVerified) await this.verify()
  }

  /**
   * Runs an operation under the cached access policy, and again if the database reports a newer
   * one; discards the first run's cost. The caller knows content under the old policy, so the second
   * run has no known versions. Throws 503 for a resumed operation, because its earlier results used
   * the old policy.
   */
  async withPolicy<Result, U extends Unchanged = never>(
    operation: (policy: AccessPolicy, known: Known<U> | undefined) => Promise<Result>,
    { known, isResumed = false }: { known?: Known<U> | undefined; isResumed?: boolean } = {},
  ): Promise<Result> {
    const initial = this.policy
    for (let currentKnown = known; ; currentKnown &&= { ...currentKnown, versions: [] }) {
      const { duration, rowsRead } = this.cost
      try {
        return await operation(this.policy, currentKnown)
      } catch (error) {
        const isOutdated = error instanceof OutdatedAccessError
        if (!isOutdated || (isResumed && this.policy !== initial)) throw error
        Object.assign(this.cost, { duration, rowsRead })
      }
    }
  }

  /** Reads, or throws like `#check`. Retries once if the connection is lost. */
  async read<U extends Unchanged = never>(
    head: Record<string, SQL>,
    body?: Body,
    guard: Guard = { permissions: ['read'] },
    known?: Known<U>,
  ): Promise<Found<QueryResult> | NoInfer<U>> {
    await this.#checkFirst(guard, false)
    const { query, split } = this.#withAccess(head, body, known)
    const result = await this.#check(guard, () => this.#connection.read(query, split))
    const state = String(result.head.state ?? '')
    if (known?.unchanged && known.versions.includes(versionOf(state)))
      return known.unchanged(state, result.head)
    return { ...result, state }
  }

  /**
   * Reads values that need no separate row (`head`), and rows, in one statement. Redacts nothing.
   * Throws like `#check`.
   */
  async select<
    H extends Columns = Record<never, never>,
    C extends Columns = Record<never, never>,
    U extends Unchanged = never,
  >({
    head = {} as H,
    rows,
    permissions = ['read'],
    collection,
    policy,
    known,
  }: Selection<H, C, U>): Promise<SelectionResult<H, C> | NoInfer<U>> {
    const guard = { permissions, collection, policy }
    const body = rows && bodyOf(rows)
    const result = await this.read(expressionsOf(head), body, guard, known)
    if (result.unchanged) return result
    return {
      head: decodeRow(head, result.head),
      rows: rows ? decodeRows(rows.columns, result.rows) : [],
      state: result.state,
    }
  }

  /**
   * Writes in one transaction, or not at all: `refused` then says what prevented it. Returns the rows of the
   * last statement too. Throws like `#check`.
   */
  async write<U extends Obstacles = Record<never, never>, R extends Columns = Record<never, never>>(
    terms: Terms<U, R>,
    statements: readonly SQL[],
  ): Promise<Written<U, R>> {
    const { permissions, collection, audit, returns = {} as R, isInternal = false } = terms
    const { credential, organisationId } = this
    const unless = obstaclesOf(terms)
    const head = {
      ...accessColumns(organisationId),
      ...(!isInternal && { followed: hasWebhooks(organisationId) }),
      ...expressionsOf(returns),
    }
    const split = ([first = {}, ...rows]: Row[]) => ({ head: first, rows })
    const guard = { permissions, collection, policy: this.policy }
    const queries = [...(audit ? [auditStatement(credential, audit)] : []), ...statements]
    await this.#checkFirst(guard, true)
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const check = checkStatement(credential, permissions, head, unless)
      const result = await this.#check(guard, () =>
        this.#connection.transact([check, ...queries], split),
      ).catch((error: unknown) => {
        if (isRefused(error)) return undefined
        throw error
      })
      if (result) {
        this.hasWebhooks ||= result.head.followed === 1
        const { rows } = result
        return { ...decodeRow(returns, result.head), refused: undefined, rows }
      }
      const found = await this.#check(guard, () =>
        this.#connection.read(reasonsStatement(credential, head, unless), split),
      )
      const refused = parseRefusal(unless, found.head)
      if (refused) return { ...decodeRow(returns, found.head), refused, rows: [] }
    }
    throw new OutdatedAccessError()
  }

  /** Whether a query finds rows in another database than the organisation's. */
  hasRowsElsewhere(query: SQL): Promise<boolean> {
    return this.#connection.hasRowsElsewhere(query)
  }

  /** Counts a request of the credential as usage. */
  countRequest(collection: string): void {
    this.#noteUse({ collection, requests: 1, records: 0 })
  }

  /** Counts records returned to the credential as usage. */
  countReturned(collection: string, records: number): void {
    if (records > 0) this.#noteUse({ collection, requests: 0, records })
  }

  /** Adds the rows read since the last call. */
  #noteUse(use: Omit<CollectionUse, 'rowsRead'>): void {
    this.credential.noteUse?.({ ...use, rowsRead: this.#connection.takeRowsRead() })
  }

  /**
   * Checks access before a statement for a hidden collection, and before a restricted key's first
   * write: the conditions of a write cover permissions but not restrictions.
   */
  async #checkFirst({ collection, permissions }: Guard, writes: boolean): Promise<void> {
    const isHidden = collection !== undefined && !this.policy.allowsCollection(collection)
    const isFirst = writes && !this.#isAdmitted && this.credential.restrictions !== null
    if (!isHidden && !isFirst) return
    await this.verify({ permissions })
    if (collection !== undefined) requireCollection(this.policy, collection)
  }

  /**
   * Updates the credential from a result. Throws 401 if it is invalid, 403 if it lacks a
   * permission, and OutdatedAccessError if its policy differs from the guard's.
   */
  async #check(guard: Guard, run: () => Promise<QueryResult>): Promise<QueryResult> {
    const { credential } = this
    let result = await run()
    if (result.head.permissions === null && (await credential.claim?.())) result = await run()
    const { permissions } = result.head
    const restrictions =
      typeof result.head.restrictions === 'string' ? result.head.restrictions : null
    const isInNetwork = await accessPolicyFor(restrictions).allowsAddress(credential.address)
    // From here on nothing waits, so that the results of parallel reads do not mix.
    this.isVerified = typeof permissions === 'string'
    this.#isAdmitted = false
    if (typeof permissions !== 'string') throw credential.refuse?.() ?? invalidCredentials()
    credential.permissions = permissions
    credential.restrictions = restrictions
    const granted = permissions.split(',')
    this.canRead = granted.includes('read')
    this.canWrite = granted.includes('write')
    if (!isInNetwork) throw foreignNetwork()
    requireAccess(granted, this.policy, credential, guard)
    this.#isAdmitted = true
    if (guard.policy && guard.policy !== this.policy) throw new OutdatedAccessError()
    return result
  }

  #withAccess<U extends Unchanged>(head: Record<string, SQL>, body?: Body, known?: Known<U>) {
    const read = { access: this.credential.access, head, body }
    const content = known ? addState(this.organisationId, known, read) : read
    const columns = accessColumns(this.organisationId)
    return headAndRows({ ...columns, ...content.head }, content.body, content.access)
  }
}

/** SQL that tests whether an organisation has active webhooks. */
export const hasWebhooks = (organisationId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM webhooks WHERE ${ofOrganisation({ organisationId })} AND state = 'active')`
