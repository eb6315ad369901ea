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
import { type Body, headAndRows, type Row } from './sql/head-and-rows.ts'
import { statement } from './sql/statement.ts'

/** The way of one credential to the records of its organisation. Every answer of the database tells whether it is still valid, and what it may do and see. */
export class Connection {
  readonly organisationId: string
  readonly principal: string
  /** Whether a read has found the credential valid. */
  isVerified = false
  /** Whether the credential may read, as the database last told. */
  canRead = false
  /** Whether something was written that webhooks are to be told of. */
  hasWebhooks = false
  /** What the reads have cost: milliseconds in the database, and rows read. */
  readonly cost = { duration: 0, rowsRead: 0 }
  protected readonly d1: D1Database
  protected readonly credential: Credential
  protected readonly timeoutMs: number | undefined
  #isAdmitted = false
  #viewed: { limits: string | null; policy: AccessPolicy } | undefined

  /** With a deadline in milliseconds, after which the database counts as out of reach. */
  constructor(d1: D1Database, credential: Credential, deadline?: number) {
    this.d1 = d1
    this.credential = credential
    this.timeoutMs = deadline
    this.organisationId = credential.organisationId
    this.principal = credential.principal
  }

  /** Throws 401 unless the credential is valid. */
  async verify(): Promise<void> {
    await this.read({}, undefined, { rights: [] })
  }

  /** Who is noted as the author of what is written. */
  get author(): Author {
    return this.credential.author
  }

  /** What of the records there are the credential sees, as it was last told. */
  get view(): AccessPolicy {
    const { limits } = this.credential
    if (this.#viewed?.limits !== limits) this.#viewed = { limits, policy: accessPolicyFor(limits) }
    return this.#viewed.policy
  }

  /** Whether the cost may be told: where the credential does not see everything, it would tell of the rest. */
  get showsCost(): boolean {
    return this.#isAdmitted && !this.view.isRestricted
  }

  /** Asks under the view that is assumed, and again under the one that is then told, if that is another: the first answer is thrown away, and so is its cost. */
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

  /** Reads, or throws what `#learn` does. A read is repeated once if the connection is lost. */
  protected async read(
    head: Record<string, SQL>,
    body?: Body,
    needed: Requirement = { rights: ['read'] },
    mayClaim = true,
  ): Promise<{ head: Row; rows: Row[] }> {
    const { collection } = needed
    // What the limits forbid is not even read.
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

  /** Runs statements as one transaction, of which the first gives a row with the rights, and gives that row and the rows of the last. */
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

  /** Learns what the database told of the credential; throws 401 if it is not valid, 403 if it lacks what is needed. */
  #learn(told: unknown, needed: Requirement): void {
    this.isVerified = told !== null
    this.#isAdmitted = false
    const credential = this.credential
    const { rights, limits } = parseAccess(told)
    credential.limits = limits
    this.canRead = rights.split(',').includes('read')
    requireAccess(rights, this.view, credential.address, needed)
    this.#isAdmitted = true
  }

  /** Notes that records were given to the credential. */
  countReturned(collection: string, records: number): void {
    if (records > 0) this.credential.noteUse?.({ collection, requests: 0, records })
  }

  #count({ duration, rows_read }: D1Meta): void {
    this.cost.duration += duration
    this.cost.rowsRead += rows_read
  }
}

/** What to throw where something was begun under limits that have changed meanwhile. */
export const accessChanged = () =>
  new ApiError('UNAVAILABLE', 'What these credentials may do was changed meanwhile: try again.', {
    'Retry-After': '1',
  })
