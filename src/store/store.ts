import { type SQL, sql } from 'drizzle-orm/sql'
import { type AccessPolicy, accessPolicyFor } from '../access/access-policy.ts'
import {
  type CollectionUse,
  type Credential,
  type Requirement,
  requireAccess,
  requireCollection,
} from '../access/credential.ts'
import { invalidCredentials } from '../model/api-error.ts'
import type { RecordDatabases } from '../platform/bindings.ts'
import type { Remainder } from '../platform/rate-limit-policy.ts'
import { type Columns, decodeRow, expressionsOf, type Rows, type Selected } from './columns.ts'
import { accessColumns, Connection, type ConnectionOptions, type Cost } from './connection.ts'
import { ofOrganisation } from './fragments.ts'
import { addState, KnownVersionError, OutdatedAccessError, versionOf } from './state.ts'
import { type Body, headAndRows, nameColumns, type QueryResult, type Row } from './statement.ts'
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
type Selection<H extends Columns, C extends Columns> = Partial<Guard> & {
  head?: H
  rows?: Rows<C>
}

/** The result of a write: what prevented it, what it returns and the rows of its last statement. */
export type Written<U extends Obstacles, R extends Columns> = Selected<R> & {
  refused: Refusal<U> | undefined
  rows: Row[]
}

// What prevented a write may be gone when it is read, or the organisation has moved.
const maxAttempts = 4

/** Columns that need no redaction, and their values once a statement has read them. */
type AddedColumns = { columns: Record<string, SQL>; head?: Row }

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
  /** The organisation's state, from the last `readWithState`. */
  state = ''
  readonly #connection: Connection
  #isAdmitted = false
  /** The versions in which the first statement of `readWithState` reads no content. */
  #knownVersions: readonly string[] | undefined
  /** The columns that the next statement also reads. */
  #added: AddedColumns | undefined
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
   * one; discards the first run's cost. Throws 503 for a resumed operation, because its earlier
   * results used the old policy.
   */
  async withPolicy<Result>(
    operation: (policy: AccessPolicy) => Promise<Result>,
    isResumed = false,
  ): Promise<Result> {
    const initial = this.policy
    for (;;) {
      const { duration, rowsRead } = this.cost
      try {
        return await operation(this.policy)
      } catch (error) {
        const isOutdated = error instanceof OutdatedAccessError
        if (!isOutdated || (isResumed && this.policy !== initial)) throw error
        Object.assign(this.cost, { duration, rowsRead })
      }
    }
  }

  /**
   * Runs a read. Its first statement also sets `state`, and a later one may read a later state, so
   * the state is never newer than the content. In a known version it reads no content and throws
   * a KnownVersionError.
   */
  async readWithState<Result>(
    read: () => Promise<Result>,
    knownVersions: readonly string[] = [],
  ): Promise<Result> {
    this.#knownVersions = knownVersions
    try {
      return await read()
    } finally {
      this.#knownVersions = undefined
    }
  }

  /** Reads, or throws like `#check`. Retries once if the connection is lost. */
  async read(
    head: Record<string, SQL>,
    body?: Body,
    guard: Guard = { permissions: ['read'] },
  ): Promise<QueryResult> {
    await this.#checkFirst(guard, false)
    const added = this.#added
    this.#added = undefined
    const columns = { ...head, ...added?.columns }
    const { query, split } = this.#withAccess(columns, body, this.#knownVersions)
    const permissions = added ? [...guard.permissions, 'read' as const] : guard.permissions
    const result = await this.#check({ ...guard, permissions }, () =>
      this.#connection.read(query, split),
    )
    if (added) added.head = result.head
    return result
  }

  /**
   * Reads values that need no separate row (`head`), and rows, in one statement. Redacts nothing.
   * Throws like `#check`.
   */
  async select<H extends Columns = Record<never, never>, C extends Columns = Record<never, never>>({
    head = {} as H,
    rows,
    permissions = ['read'],
    collection,
    policy,
  }: Selection<H, C>): Promise<{ head: Selected<H>; rows: Selected<C>[] }> {
    const body = rows && {
      columns: Object.keys(rows.columns),
      with: rows.with,
      rows: sql`SELECT ${nameColumns(expressionsOf(rows.columns))} ${rows.from}`,
    }
    const result = await this.read(expressionsOf(head), body, { permissions, collection, policy })
    return {
      head: decodeRow(head, result.head),
      rows: rows ? result.rows.map((row) => decodeRow(rows.columns, row)) : [],
    }
  }

  /** Runs a read whose first statement also reads columns that need no redaction. Returns both. */
  async readWith<Result>(
    columns: Record<string, SQL>,
    read: () => Promise<Result>,
  ): Promise<{ result: Result; head: Row }> {
    const added: AddedColumns = { columns }
    this.#added = added
    try {
      const result = await read()
      return { result, head: added.head ?? (await this.read(columns)).head }
    } finally {
      this.#added = undefined
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
    const { permissions, restrictions } = result.head
    this.isVerified = typeof permissions === 'string'
    this.#isAdmitted = false
    if (typeof permissions !== 'string') throw credential.refuse?.() ?? invalidCredentials()
    credential.permissions = permissions
    credential.restrictions = typeof restrictions === 'string' ? restrictions : null
    const granted = permissions.split(',')
    this.canRead = granted.includes('read')
    this.canWrite = granted.includes('write')
    requireAccess(granted, this.policy, credential, guard)
    this.#isAdmitted = true
    if (guard.policy && guard.policy !== this.policy) {
      // The caller knows responses under the previous policy.
      this.#knownVersions &&= []
      throw new OutdatedAccessError()
    }
    this.#checkState(result)
    return result
  }

  #checkState({ head }: QueryResult): void {
    if (!this.#knownVersions || head.state === undefined) return
    this.state = String(head.state)
    const isKnown = this.#knownVersions.includes(versionOf(this.state))
    this.#knownVersions = undefined
    if (isKnown) throw new KnownVersionError()
  }

  #withAccess(head: Record<string, SQL>, body?: Body, knownVersions?: readonly string[]) {
    const read = { access: this.credential.access, head, body }
    const content = knownVersions ? addState(this.organisationId, knownVersions, read) : read
    const columns = accessColumns(this.organisationId)
    return headAndRows({ ...columns, ...content.head }, content.body, content.access)
  }
}

/** SQL that tests whether an organisation has active webhooks. */
export const hasWebhooks = (organisationId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM webhooks WHERE ${ofOrganisation({ organisationId })} AND state = 'active')`
