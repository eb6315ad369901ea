import type { SQL } from 'drizzle-orm'
import { type AccessPolicy, accessPolicyFor } from '../access/access-policy.ts'
import {
  type Credential,
  parseAccess,
  type Requirement,
  requireAccess,
  requireCollection,
} from '../access/credential.ts'
import { ApiError } from '../model/api-error.ts'
import type { Author } from '../model/author.ts'
import { isConnectionLost } from '../platform/outage.ts'
import { withTimeout } from '../platform/timeout.ts'
import { type Body, headAndRows, type Row, statement } from './statement.ts'

/**
 * A credential's access to the records of its organisation. Every database response says whether
 * the credential is still valid and what it may do.
 */
export class Connection {
  readonly organisationId: string
  readonly principal: string
  isVerified = false
  /** Whether the credential may read, by the last database response. */
  canRead = false
  /** Whether active webhooks follow a change that this connection wrote. */
  hasWebhooks = false
  /** The cost of the reads: milliseconds in the database, and rows read. */
  readonly cost = { duration: 0, rowsRead: 0 }
  protected readonly d1: D1Database
  protected readonly credential: Credential
  protected readonly timeoutMs: number | undefined
  #isAdmitted = false
  #viewed: { limits: string | null; policy: AccessPolicy } | undefined

  /** `deadline` is in milliseconds; a slower database counts as unavailable. */
  constructor(d1: D1Database, credential: Credential, deadline?: number) {
    this.d1 = d1
    this.credential = credential
    this.timeoutMs = deadline
    this.organisationId = credential.organisationId
    this.principal = credential.principal
  }

  async verify(): Promise<void> {
    await this.read({}, undefined, { rights: [] })
  }

  /** The author of changes. */
  get author(): Author {
    return this.credential.author
  }

  /** The access policy by the last database response. */
  get view(): AccessPolicy {
    const { limits } = this.credential
    if (this.#viewed?.limits !== limits) this.#viewed = { limits, policy: accessPolicyFor(limits) }
    return this.#viewed.policy
  }

  /** Whether the caller may see the cost: with restrictions, it would reveal hidden records. */
  get showsCost(): boolean {
    return this.#isAdmitted && !this.view.isRestricted
  }

  /**
   * Queries with the assumed access policy, and again if the response has another one; the first
   * result and its cost are then discarded.
   */
  protected async withPolicy<Answer>(
    ask: (view: AccessPolicy) => Promise<Answer>,
  ): Promise<Answer> {
    for (;;) {
      const { view } = this
      const { duration, rowsRead } = this.cost
      const answer = await ask(view)
      if (this.view === view) return answer
      Object.assign(this.cost, { duration, rowsRead })
    }
  }

  /** Reads, or throws as `#learn` does. Retries once if the connection is lost. */
  protected async read(
    head: Record<string, SQL>,
    body?: Body,
    needed: Requirement = { rights: ['read'] },
    mayClaim = true,
  ): Promise<{ head: Row; rows: Row[] }> {
    const { collection } = needed
    // A forbidden collection is not even read.
    if (collection !== undefined && !this.view.allowsCollection(collection)) {
      await this.read({}, undefined, { rights: needed.rights })
      requireCollection(this.view, collection)
    }
    const { rights, claim } = this.credential
    const { query, split } = headAndRows({ rights, ...head }, body)
    const asked = statement(this.d1, query)
    const ask = () => withTimeout(asked.all<Row>(), this.timeoutMs)
    const { results, meta } = await ask().catch((error: unknown) => {
      if (isConnectionLost(error)) return ask()
      throw error
    })
    this.#count(meta)
    const found = split(results)
    if (found.head.rights === null && mayClaim && (await claim?.()))
      return this.read(head, body, needed, false)
    this.#learn(found.head.rights, needed)
    return found
  }

  /**
   * Runs statements as one transaction. The first returns a row with the permissions; returns that
   * row and the rows of the last statement.
   */
  protected async transact(
    needed: Requirement,
    statements: D1PreparedStatement[],
    mayClaim = true,
  ): Promise<[Row, Row[]]> {
    const results = await withTimeout(this.d1.batch<Row>(statements), this.timeoutMs)
    for (const { meta } of results) this.#count(meta)
    const row = results[0]?.results[0] ?? { rights: null }
    if (row.rights === null && mayClaim && (await this.credential.claim?.()))
      return this.transact(needed, statements, false)
    this.#learn(row.rights ?? null, needed)
    this.hasWebhooks ||= row.followed === 1
    return [row, results.at(-1)?.results ?? []]
  }

  /**
   * Stores the credential's state from a database response; throws 401 if it is invalid, 403 if it
   * lacks a permission.
   */
  #learn(told: unknown, needed: Requirement): void {
    this.isVerified = told !== null
    this.#isAdmitted = false
    const credential = this.credential
    const { rights, limits } = parseAccess(told)
    credential.limits = limits
    this.canRead = rights.split(',').includes('read')
    requireAccess(rights, this.view, credential, needed)
    this.#isAdmitted = true
  }

  /** Counts records returned to the credential. */
  countReturned(collection: string, records: number): void {
    if (records > 0) this.credential.noteUse?.({ collection, requests: 0, records })
  }

  #count({ duration, rows_read }: D1Meta): void {
    this.cost.duration += duration
    this.cost.rowsRead += rows_read
  }
}

/** The error for work that began under restrictions that have changed since. */
export const accessChanged = () =>
  new ApiError(
    'UNAVAILABLE',
    'The access of these credentials changed during the request: try again.',
    {
      'Retry-After': '1',
    },
  )
