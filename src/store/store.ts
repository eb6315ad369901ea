import { type SQL, sql } from 'drizzle-orm/sql'
import { type AccessPolicy, accessPolicyFor } from '../access/access-policy.ts'
import {
  type CollectionUse,
  type Credential,
  type Requirement,
  requireAccess,
  requireCollection,
} from '../access/credential.ts'
import type { Permission } from '../access/permissions.ts'
import { invalidCredentials, organisationMoving } from '../model/api-error.ts'
import type { RecordDatabases } from '../platform/bindings.ts'
import { isConnectionLost } from '../platform/outage.ts'
import type { Remainder } from '../platform/rate-limit-policy.ts'
import { withTimeout } from '../platform/timeout.ts'
import { isDatabaseName, listDatabases, openDatabase, rememberDatabase } from './databases.ts'
import type { RequestShare } from './fair-share.ts'
import { addState, KnownVersionError, OutdatedAccessError, versionOf } from './state.ts'
import { type Body, headAndRows, type QueryResult, type Row, statement } from './statement.ts'

/** Runs a query in a database. */
type Run = (d1: D1Database) => Promise<QueryResult>

// An organisation that is arriving is in neither database for a moment.
const maxMoves = 2

/** A statement's requirements, with the access policy that it was built for, if any. */
type Guard = Requirement & { policy?: AccessPolicy }

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
  /** Whether a write found active webhooks. */
  hasWebhooks = false
  /** The organisation's state, from the last `readWithState`. */
  state = ''
  /** The total cost of the reads: milliseconds in the database and rows read. */
  readonly cost = { duration: 0, rowsRead: 0 }
  readonly #databases: RecordDatabases
  readonly #timeoutMs: number | undefined
  readonly #share: RequestShare | undefined
  #isAdmitted = false
  #unnotedRows = 0
  /** The versions in which the first statement of `readWithState` reads no content. */
  #knownVersions: readonly string[] | undefined
  /** The columns that the next statement also reads. */
  #added: AddedColumns | undefined
  #compiled: { restrictions: string | null; policy: AccessPolicy } | undefined

  /** Treats a database that exceeds the timeout as unavailable. With a share, statements take turns. */
  constructor(
    databases: RecordDatabases,
    credential: Credential,
    { timeoutMs, share }: { timeoutMs?: number | undefined; share?: RequestShare | undefined } = {},
  ) {
    this.organisationId = credential.organisationId
    this.credential = credential
    this.#databases = databases
    this.#timeoutMs = timeoutMs
    this.#share = share
  }

  /** The access policy according to the last result. */
  get policy(): AccessPolicy {
    const { restrictions } = this.credential
    if (this.#compiled?.restrictions !== restrictions)
      this.#compiled = { restrictions, policy: accessPolicyFor(restrictions) }
    return this.#compiled.policy
  }

  /** Whether the caller may see the cost. A restricted caller could infer hidden records from it. */
  get showsCost(): boolean {
    return this.#isAdmitted && !this.policy.isRestricted
  }

  /** The rows that the organisation may read at once. */
  get rowsLeft(): Remainder | undefined {
    return this.#share?.remainder
  }

  /** Checks the credential without reading records. */
  async verify(guard: Guard = { permissions: [] }): Promise<void> {
    await this.read({}, undefined, guard)
  }

  /**
   * Checks a person before a statement that uses their role: while another database has the memberships, only a
   * check before the statement can tell it.
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
    const result = await this.#check({ ...guard, permissions }, async (d1) => {
      const prepared = statement(d1, query)
      const run = () => withTimeout(prepared.all<Row>(), this.#timeoutMs)
      const { results, meta } = await run().catch((error: unknown) => {
        if (isConnectionLost(error)) return run()
        throw error
      })
      this.#count(meta)
      return split(results)
    })
    if (added) added.head = result.head
    return result
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

  /** Returns the rows of a query that needs no redaction. */
  async rows(body: Body, permissions: readonly Permission[] = ['read']): Promise<Row[]> {
    return (await this.read({}, body, { permissions })).rows
  }

  /**
   * Runs statements as one transaction, or throws like `#check`; returns the head and the last
   * statement's rows. Every write must have `hasPermissions` as a condition, so that it writes
   * nothing after a change of access.
   */
  async transact(
    guard: Guard,
    head: Record<string, SQL>,
    statements: readonly SQL[],
  ): Promise<QueryResult> {
    await this.#checkFirst(guard, true)
    const first = this.#withAccess(head)
    return this.#check({ policy: this.policy, ...guard, writes: true }, async (d1) => {
      const prepared = [first.query, ...statements].map((query) => statement(d1, query))
      const results = await withTimeout(d1.batch<Row>(prepared), this.#timeoutMs)
      for (const { meta } of results) this.#count(meta)
      const { head } = first.split(results[0]?.results ?? [])
      this.hasWebhooks ||= head.followed === 1
      return { head, rows: results.at(-1)?.results ?? [] }
    })
  }

  /** Returns whether a query finds rows in another database than the organisation's. */
  async hasRowsElsewhere(query: SQL): Promise<boolean> {
    const others = listDatabases(this.#databases).filter(
      ([name]) => name !== this.credential.database,
    )
    const results = await Promise.all(
      others.map(([, d1]) => withTimeout(statement(d1, query).first(), this.#timeoutMs)),
    )
    return results.some((row) => row !== null)
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
    this.credential.noteUse?.({ ...use, rowsRead: this.#unnotedRows })
    this.#unnotedRows = 0
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
  async #check(guard: Guard & { writes?: true }, run: Run): Promise<QueryResult> {
    const { credential } = this
    const runInTurn: Run = (d1) => this.#share?.run(() => run(d1)) ?? run(d1)
    const runWithAccess = () => this.#follow(runInTurn, guard.writes)
    let result = await runWithAccess()
    if (result.head.permissions === null && (await credential.claim?.()))
      result = await runWithAccess()
    const { permissions, restrictions } = result.head
    this.isVerified = typeof permissions === 'string'
    this.#isAdmitted = false
    if (typeof permissions !== 'string') throw credential.refuse?.() ?? invalidCredentials()
    credential.permissions = permissions
    credential.restrictions = typeof restrictions === 'string' ? restrictions : null
    const granted = permissions.split(',')
    this.canRead = granted.includes('read')
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

  /** Runs a query in the organisation's database, wherever it has been moved. */
  async #follow(run: Run, writes?: true): Promise<QueryResult> {
    const { credential, organisationId } = this
    for (let moves = 0; moves <= maxMoves; moves++) {
      const result = await this.#runWithAccess(run, writes)
      const { moved_to: movedTo } = result.head
      if (typeof movedTo !== 'string' || !isDatabaseName(movedTo)) return result
      rememberDatabase(organisationId, movedTo)
      credential.database = movedTo
    }
    throw organisationMoving()
  }

  /** Runs a query. The access that only `DB` knows is read at the same time, or before a write. */
  async #runWithAccess(run: Run, writes?: true): Promise<QueryResult> {
    const { database, readAccess } = this.credential
    const d1 = openDatabase(this.#databases, database)
    if (!readAccess || database === 'DB') return run(d1)
    const [permissions, read] = await Promise.all([readAccess(), writes ? undefined : run(d1)])
    const result = read ?? (permissions === null ? { head: {}, rows: [] } : await run(d1))
    return { ...result, head: { ...result.head, permissions } }
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
    const columns = {
      permissions: sql`source.permissions`,
      restrictions: sql`source.restrictions`,
      // SQLite reads the row only for a credential that it does not find.
      moved_to: sql`CASE WHEN source.permissions IS NULL THEN
        (SELECT database FROM organisations WHERE id = ${this.organisationId}) END`,
    }
    return headAndRows({ ...columns, ...content.head }, content.body, content.access)
  }

  #count({ duration, rows_read }: D1Meta): void {
    this.cost.duration += duration
    this.cost.rowsRead += rows_read
    this.#unnotedRows += rows_read
    this.#share?.count(rows_read, duration)
  }
}

/** Returns SQL that tests whether an organisation has active webhooks. */
export const hasWebhooks = (organisationId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM webhooks WHERE organisation_id = ${organisationId} AND state = 'active')`
